import MagicEngine
import MagicStore

/// What a read looks at, in a file whose schema has a version.
struct ReadLook: Sendable {
  let region: ReadRegion
  let schemaVersion: Int64
  /// Of a read that may look at something else each time, what was recorded.
  let recorded: RecordedRegion?

  /// What a request says that it looks at; nil where that is recorded.
  init?(_ request: some ReadRequest, on reader: any EngineReader) throws {
    guard let region = try request.region(on: reader) else { return nil }
    self.region = region
    schemaVersion = try reader.schemaVersion
    recorded = nil
  }

  /// What a read has looked at.
  init(_ recorded: RecordedRegion) {
    self.recorded = recorded
    region = recorded.region
    schemaVersion = recorded.schemaVersion
  }
}
