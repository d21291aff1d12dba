import MagicQuery
import MagicStore

/// A read, and who tells when its result may be another.
final class WatchedRead<Value: Sendable>: Sendable {
  private let read: ObservedRead<Value>
  private let watch: RegionWatch
  private let current: Current

  /// Used by one task at a time.
  private final class Current: @unchecked Sendable {
    var region: ReadRegion
    var observation: Observation

    init(_ region: ReadRegion, _ observation: Observation) {
      self.region = region
      self.observation = observation
    }
  }

  init(
    _ read: ObservedRead<Value>, in source: any AsyncDatabaseReader & ObservableDatabase
  ) async throws {
    self.read = read
    let region = try await source._read { try read.region($0.connection) }
    let watch = RegionWatch(region)
    self.watch = watch
    current = Current(region, Self.observe(region, watch, source))
  }

  private static func observe(
    _ region: ReadRegion, _ watch: RegionWatch, _ source: any ObservableDatabase
  ) -> Observation {
    // All that is said is that something changed: one element is enough.
    let observer = ChangeObserver(region.interest, capacity: 1) { changes in
      guard watch.isTouched(by: changes) else { return nil }
      var summary = CommittedChanges()
      summary.isUnknown = changes.isUnknown || !changes.unknown.isEmpty
      summary.others = [""]
      return summary
    }
    return Observation(observer, in: source)
  }

  /// Waits for a commit that may have changed the result.
  ///
  /// - Returns: false at the end.
  func change(_ source: any AsyncDatabaseReader & ObservableDatabase) async throws -> Bool {
    guard let changes = await current.observation.observer.next() else { return false }
    // Where tables have another shape, the read may look at something else.
    if changes.isUnknown {
      let region = try await source._read { [read] in try read.region($0.connection) }
      if region != current.region {
        watch.set(region)
        // The new observer is there before the old one goes.
        let observation = Self.observe(region, watch, source)
        (current.region, current.observation) = (region, observation)
      }
    }
    return true
  }

  /// The result now.
  func value(
    _ source: any AsyncDatabaseReader & ObservableDatabase
  ) async throws -> (value: Value, digest: ResultDigest.Value) {
    watch.set(rows: nil)
    // What was committed by now is seen by the read that follows.
    _ = current.observation.observer.takeAll()
    let (value, digest) = try await source._read { [read] access in
      let connection = access.connection
      let digest = ResultDigest()
      connection.digest = digest
      defer { connection.digest = nil }
      return (try read.read(connection), digest.value)
    }
    if let rows = read.rows { watch.set(rows: rows(value)) }
    return (value, digest)
  }
}
