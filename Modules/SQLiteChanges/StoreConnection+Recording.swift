package import MagicEngine
package import SQLiteEngine

extension RecordedRegion {
  /// - Parameter last: what is known of the statements from the time before.
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
  /// Runs reads on the snapshot that is open, digests what they read, and records what they look at.
  ///
  /// - Parameter last: what they have looked at the time before.
  /// - Throws: what the body throws; `MagicError` with `.snapshotTooOld` where the snapshot was taken
  ///   away.
  package func recordingRegion<Result>(
    after last: RecordedRegion?, _ body: () throws -> Result
  ) throws -> (result: Result, digest: ResultDigest.Value, region: RecordedRegion) {
    let recorder = ReadRecorder()
    let result = try recordingReads(with: recorder, body)
    try requireSnapshot()
    return (result, recorder.result, try RecordedRegion(recorder, on: self, after: last))
  }
}
