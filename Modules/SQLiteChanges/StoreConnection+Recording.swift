package import MagicEngine
package import SQLiteEngine

extension RecordedRegion {
  /// - Parameter last: the previous recording, whose regions of statements are reused if the schema
  ///   has not changed.
  fileprivate init(
    _ recorder: ReadRecorder, on connection: StoreConnection, after last: RecordedRegion?
  ) throws {
    let schemaVersion = try connection.schemaVersion
    let known = last?.schemaVersion == schemaVersion ? last?.statements ?? [:] : [:]
    var region = ReadRegion()
    var statements: [String: ReadRegion] = [:]
    for schema in recorder.incompleteTypes { region.insert(schema, isLoaded: false) }
    for sql in recorder.statements {
      let part = try known[sql] ?? connection.region(of: sql)
      statements[sql] = part
      region.formUnion(part)
    }
    self.init(region: region, schemaVersion: schemaVersion, statements: statements)
  }
}

extension StoreConnection {
  /// Runs reads on the open snapshot, computes a digest of their results, and records their region.
  ///
  /// - Parameter last: the region that was recorded for the previous run.
  /// - Throws: what the body throws; `MagicError` with `.snapshotTooOld` if the snapshot was
  ///   revoked.
  package func recordingRegion<Result>(
    after last: RecordedRegion?, _ body: () throws -> Result
  ) throws -> (result: Result, digest: ResultDigest.Value, region: RecordedRegion) {
    let recorder = ReadRecorder()
    let result = try recordingReads(with: recorder, body)
    try requireSnapshot()
    return (result, recorder.result, try RecordedRegion(recorder, on: self, after: last))
  }
}
