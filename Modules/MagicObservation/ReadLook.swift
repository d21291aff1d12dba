import MagicSQLite
import MagicStore

/// What a read looks at, in a file whose schema has a number.
struct ReadLook: Sendable {
  private(set) var region: ReadRegion
  let schemaVersion: Int64
  /// Whether it was recorded, and may be another each time.
  let isRecorded: Bool
  /// What each statement looks at, of a read whose statements are recorded.
  private var statements: [String: ReadRegion] = [:]

  /// What a request says that it looks at; nil where that is recorded.
  init?(_ request: some ReadRequest, on connection: StoreConnection) throws {
    guard let region = try request.region(on: connection) else { return nil }
    self.region = region
    isRecorded = false
    schemaVersion = try connection.fileSchemaVersion()
  }

  /// What a read has looked at, which was recorded on the snapshot that is open.
  ///
  /// - Parameter last: what is known of the statements from the time before.
  init(_ recorder: ReadRecorder, on connection: StoreConnection, after last: ReadLook?) throws {
    isRecorded = true
    schemaVersion = try connection.fileSchemaVersion()
    let known = last?.schemaVersion == schemaVersion ? last?.statements ?? [:] : [:]
    region = ReadRegion()
    for schema in recorder.incompleteTypes { region.insert(schema, isLoaded: false) }
    for sql in recorder.statements {
      let part = try known[sql] ?? connection.region(of: sql)
      statements[sql] = part
      region.formUnion(part)
    }
  }
}
