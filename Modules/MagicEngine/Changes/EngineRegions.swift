package import MagicSchema

/// Finds out what reads look at, and digests what they read.
///
/// While reads are digested, each fetch, look-up, count and statement adds a mark of its own and all that it
/// read: rows, members with their positions and keys, numbers, and that there is no row. Two bodies with
/// one digest have read the same.
package protocol EngineRegions: AnyObject {
  /// Another number after every change of a table.
  var schemaVersion: Int64 { get throws }

  /// What a query for values looks at; a table that is not there yet as a whole.
  func region(of query: PreparedQuery) throws -> ReadRegion

  /// What a query for objects looks at, with all that the objects refer to.
  func region(ofObjectsOf query: PreparedQuery) throws -> ReadRegion

  /// What a statement in the engine's dialect looks at.
  ///
  /// - Parameter model: the type that objects are read of; nil for values.
  func region(of statement: RawStatement, _ model: ObjectSchema?) throws -> ReadRegion

  /// Runs reads, and digests what they read.
  func digestingReads<Result>(
    _ body: () throws -> Result
  ) throws -> (result: Result, digest: ResultDigest.Value)

  /// Runs reads on the snapshot that is open, digests what they read, and records what they look at.
  ///
  /// - Parameter last: what they looked at the time before; nil for the first time.
  /// - Throws: what the body throws; `MagicError` with `.snapshotTooOld` where the snapshot was taken
  ///   away.
  func recordingRegion<Result>(
    after last: RecordedRegion?, _ body: () throws -> Result
  ) throws -> (result: Result, digest: ResultDigest.Value, region: RecordedRegion)
}

/// What a body of reads has looked at, in a database whose tables have a version.
package struct RecordedRegion: Sendable {
  package let region: ReadRegion
  package let schemaVersion: Int64
  /// What each statement looks at, by the engine's name for it.
  package let statements: [String: ReadRegion]

  package init(region: ReadRegion, schemaVersion: Int64, statements: [String: ReadRegion] = [:]) {
    self.region = region
    self.schemaVersion = schemaVersion
    self.statements = statements
  }
}
