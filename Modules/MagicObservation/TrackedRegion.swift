import MagicEngine
import MagicStore

/// The region that a read depends on, at one version of the file's schema.
struct TrackedRegion: Sendable {
  let region: ReadRegion
  let schemaVersion: Int64
  /// The recorded region, if the region may differ each time the read runs; nil if the request
  /// states its region.
  let recorded: RecordedRegion?

  /// Creates the region that a request states; nil if the region of the request must be recorded.
  init?(_ request: some ReadRequest, on reader: any EngineReader) throws {
    guard let region = try request.region(on: reader) else { return nil }
    self.region = region
    schemaVersion = try reader.schemaVersion
    recorded = nil
  }

  /// Creates a region that was recorded while a read ran.
  init(_ recorded: RecordedRegion) {
    self.recorded = recorded
    region = recorded.region
    schemaVersion = recorded.schemaVersion
  }
}
