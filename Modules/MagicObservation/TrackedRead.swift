import MagicEngine
import MagicSchema
import MagicStore

/// A request, with an observer of the commits that may change its result.
///
/// The region of a request is the set of tables and columns that its result depends on. Some
/// requests state their region before they run: their region changes only with the schema of the
/// file. The region of other requests is recorded while they run, and may differ each time.
final class TrackedRead<Value: Sendable>: Sendable {
  typealias Source = any AsyncMagicDatabaseReader & ObservableMagicDatabase

  private let request: AnyReadRequest<Value>
  private let filter: RegionFilter
  private let state: State

  /// The mutable state. Only one task at a time uses it.
  private final class State: @unchecked Sendable {
    var tracked: TrackedRegion
    var registration: ObserverRegistration
    /// The region that the observer and its filter observe.
    var observed: ReadRegion

    init(_ tracked: TrackedRegion, _ registration: ObserverRegistration) {
      self.tracked = tracked
      self.registration = registration
      observed = tracked.region
    }
  }

  private enum Outcome: Sendable {
    case value(Value, ResultDigest.Value, TrackedRegion)
    /// The new region. The request was not run, because its region was unknown or the schema of the
    /// file has changed.
    case regionOnly(TrackedRegion)
  }

  /// Determines the region of the request. If the request does not state its region, the request is
  /// run and the region is recorded.
  init(_ request: AnyReadRequest<Value>, in source: Source) async throws {
    self.request = request
    let tracked =
      switch try await Self.read(request, after: nil, in: source) {
      case .value(_, _, let tracked), .regionOnly(let tracked): tracked
      }
    let filter = RegionFilter(tracked.region)
    self.filter = filter
    state = State(tracked, Self.register(tracked.region, filter, source))
  }

  private static func register(
    _ region: ReadRegion, _ filter: RegionFilter, _ source: any ObservableMagicDatabase
  ) -> ObserverRegistration {
    // The elements only signal that something changed, so a capacity of one is enough.
    let observer = ChangeObserver(region.filter, capacity: 1) { changes in
      guard filter.isAffected(by: changes) else { return nil }
      var summary = CommittedChanges()
      summary.others = [""]
      return summary
    }
    return ObserverRegistration(observer, in: source)
  }

  /// Waits for a commit that may have changed the result.
  ///
  /// - Returns: false if the database was closed or the task was cancelled.
  func change() async -> Bool { await state.registration.observer.next() != nil }

  /// Reads the current result. If the snapshot of the read is closed, the request is run again on a
  /// newer one.
  ///
  /// - Throws: what the request throws; `MagicError` with `.snapshotTooOld` after the third
  ///   snapshot.
  func value(_ source: Source) async throws -> (value: Value, digest: ResultDigest.Value) {
    var missed: ReadRegion?
    while true {
      filter.set(rows: nil)
      // The following read sees all commits up to now.
      _ = state.registration.observer.takeAll()
      switch try await Self.read(request, after: state.tracked, in: source) {
      case .value(let value, let digest, let tracked) where isObserved(tracked.region):
        state.tracked = tracked
        narrow(to: tracked.region)
        filter.set(rows: request.rows(of: value))
        return (value, digest)
      case .value(_, _, let tracked):
        // A commit during the read may have changed the result in the part of the region that was
        // not observed. The loop ends even if the region differs each time: the observed region
        // grows until it covers every region.
        state.tracked = tracked
        var region = tracked.region
        if let missed { region.formUnion(missed) }
        missed = region
        observe(region, source)
      case .regionOnly(let tracked):
        state.tracked = tracked
        observe(tracked.region, source)
      }
    }
  }

  private func isObserved(_ region: ReadRegion) -> Bool {
    region == state.observed || region.isCovered(by: state.observed)
  }

  private func observe(_ region: ReadRegion, _ source: any ObservableMagicDatabase) {
    guard region != state.observed else { return }
    filter.set(region)
    // The new observer is registered before the old one is released. The following read sees the
    // commits from before the registration.
    state.registration = Self.register(region, filter, source)
    state.observed = region
  }

  /// Restricts the observed region to a part of it.
  private func narrow(to region: ReadRegion) {
    guard region != state.observed else { return }
    filter.set(region)
    state.observed = region
  }

  /// Reads the result and its region. If the snapshot is closed, the request is run again on a
  /// newer one. It is run three times at most.
  ///
  /// - Parameter last: the region of the previous read; nil if only the region is needed.
  /// - Throws: what the request throws; `MagicError` with `.snapshotTooOld` after the third
  ///   snapshot.
  private static func read(
    _ request: AnyReadRequest<Value>, after last: TrackedRegion?, in source: Source
  ) async throws -> Outcome {
    for _ in 1..<3 {
      do {
        return try await readOnce(request, after: last, in: source)
      } catch let error as MagicError where error.code == .snapshotTooOld {
        continue
      }
    }
    return try await readOnce(request, after: last, in: source)
  }

  private static func readOnce(
    _ request: AnyReadRequest<Value>, after last: TrackedRegion?, in source: Source
  ) async throws -> Outcome {
    try await source._read { access in
      let reader = access.reader
      if let recorded = last?.recorded { return try record(request, after: recorded, reader) }
      let outcome: Outcome? = try reader.inSnapshot {
        if let last, try reader.schemaVersion == last.schemaVersion {
          let (value, digest) = try reader.digestingReads { try request.read(on: reader) }
          return .value(value, digest, last)
        }
        return try TrackedRegion(request, on: reader).map(Outcome.regionOnly)
      }
      return try outcome ?? record(request, after: nil, reader)
    }
  }

  /// Reads the result and records its region.
  private static func record(
    _ request: AnyReadRequest<Value>, after last: RecordedRegion?, _ reader: any EngineReader
  ) throws -> Outcome {
    try reader.run { snapshot in
      try snapshot._read { access in
        let reader = access.reader
        let (value, digest, region) = try reader.recordingRegion(after: last) {
          try request.read(on: reader)
        }
        return .value(value, digest, TrackedRegion(region))
      }
    }
  }
}
