package import MagicSchema

/// Computes the regions that reads depend on, and the digests of their results.
///
/// While a digest is computed, each fetch, lookup, count and statement adds an identifier of the
/// operation and everything that it read: rows, members with their positions and keys, numbers, and
/// the absence of a row. If the digests of two bodies are equal, the bodies have read the same
/// values.
package protocol EngineRegions: AnyObject {
  /// A number that changes with every change of a table's schema.
  var schemaVersion: Int64 { get throws }

  /// Returns the region of a query for values. A table that does not exist yet is included with all
  /// its columns.
  func region(of query: PreparedQuery) throws -> ReadRegion

  /// Returns the region of a query for objects, including everything that the objects refer to.
  ///
  /// - Parameter excluded: the relationships of the type that are not loaded, as indexes in
  ///   `ObjectSchema.relationshipProperties`.
  func region(
    ofObjectsOf query: PreparedQuery, excluding excluded: Set<Int>
  ) throws -> ReadRegion

  /// Returns the region of a statement in the engine's dialect.
  ///
  /// - Parameter model: the type of the objects that the statement returns, or nil for values.
  func region(of statement: RawStatement, _ model: ObjectSchema?) throws -> ReadRegion

  /// Runs reads, and computes a digest of what they read.
  func digestingReads<Result>(
    _ body: () throws -> Result
  ) throws -> (result: Result, digest: ResultDigest.Value)

  /// Runs reads on the open snapshot, computes a digest of what they read, and records their
  /// region.
  ///
  /// - Parameter last: the region of the previous run, or nil for the first run.
  /// - Throws: the errors of the body; `MagicError` with `.snapshotTooOld` if the snapshot was
  ///   closed.
  func recordingRegion<Result>(
    after last: RecordedRegion?, _ body: () throws -> Result
  ) throws -> (result: Result, digest: ResultDigest.Value, region: RecordedRegion)
}

/// The recorded region of a body of reads, with the schema version of the database.
package struct RecordedRegion: Sendable {
  package let region: ReadRegion
  package let schemaVersion: Int64
  /// The region of each statement, by the engine's key for the statement.
  package let statements: [String: ReadRegion]

  package init(region: ReadRegion, schemaVersion: Int64, statements: [String: ReadRegion] = [:]) {
    self.region = region
    self.schemaVersion = schemaVersion
    self.statements = statements
  }
}
