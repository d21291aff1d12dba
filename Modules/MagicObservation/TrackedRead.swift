import MagicEngine
import MagicSchema
import MagicStore

/// A request, with an observer of the commits that may change its result.
///
/// Some requests state their region before they run: their region changes only with the schema of
/// the file. The region of other requests is recorded while they run, and may differ each time.
final class TrackedRead<Value: Sendable>: Sendable {
  typealias Source = any AsyncDatabaseReader & ObservableDatabase

  private let request: AnyReadRequest<Value>
  private let filter: RegionFilter
  private let current: Current

  /// The mutable state. Only one task at a time uses it.
  private final class Current: @unchecked Sendable {
    var look: ReadLook
    var registration: ObserverRegistration
    /// The region that the observer and its filter observe.
    var observed: ReadRegion

    init(_ look: ReadLook, _ registration: ObserverRegistration) {
      self.look = look
      self.registration = registration
      observed = look.region
    }
  }

  private enum Finding: Sendable {
    case value(Value, ResultDigest.Value, ReadLook)
    /// The schema of the file has changed: the request was not run.
    case other(ReadLook)
  }

  /// Determines the region of the request. A request that does not state its region is run for
  /// this.
  init(_ request: AnyReadRequest<Value>, in source: Source) async throws {
    self.request = request
    let look =
      switch try await Self.find(request, after: nil, in: source) {
      case .value(_, _, let look), .other(let look): look
      }
    let filter = RegionFilter(look.region)
    self.filter = filter
    current = Current(look, Self.register(look.region, filter, source))
  }

  private static func register(
    _ region: ReadRegion, _ filter: RegionFilter, _ source: any ObservableDatabase
  ) -> ObserverRegistration {
    // The elements only signal that something changed, so a capacity of one is enough.
    let observer = ChangeObserver(region.interest, capacity: 1) { changes in
      guard filter.isTouched(by: changes) else { return nil }
      var summary = CommittedChanges()
      summary.others = [""]
      return summary
    }
    return ObserverRegistration(observer, in: source)
  }

  /// Waits for a commit that may have changed the result.
  ///
  /// - Returns: false if the database was closed or the task was cancelled.
  func change() async -> Bool { await current.registration.observer.next() != nil }

  /// Reads the current result. If the snapshot of the read is invalidated, the request is run again
  /// on a newer one.
  ///
  /// - Throws: what the request throws; `MagicError` with `.snapshotTooOld` after the third snapshot.
  func value(_ source: Source) async throws -> (value: Value, digest: ResultDigest.Value) {
    var tried: ReadRegion?
    while true {
      filter.set(rows: nil)
      // The following read sees all commits up to now.
      _ = current.registration.observer.takeAll()
      switch try await Self.find(request, after: current.look, in: source) {
      case .value(let value, let digest, let look) where isObserved(look.region):
        current.look = look
        narrow(to: look.region)
        filter.set(rows: request.rows(of: value))
        return (value, digest)
      case .value(_, _, let look):
        // A commit during the read may have changed the result in the part of the region that was
        // not observed. The loop ends even if the region differs each time: the observed region
        // grows until it covers every region.
        current.look = look
        var region = look.region
        if let tried { region.formUnion(tried) }
        tried = region
        observe(region, source)
      case .other(let look):
        current.look = look
        observe(look.region, source)
      }
    }
  }

  private func isObserved(_ region: ReadRegion) -> Bool {
    region == current.observed || region.isCovered(by: current.observed)
  }

  private func observe(_ region: ReadRegion, _ source: any ObservableDatabase) {
    guard region != current.observed else { return }
    filter.set(region)
    // The new observer is registered before the old one is released. The following read sees the
    // commits from before the registration.
    current.registration = Self.register(region, filter, source)
    current.observed = region
  }

  /// Restricts the observed region to a part of it.
  private func narrow(to region: ReadRegion) {
    guard region != current.observed else { return }
    filter.set(region)
    current.observed = region
  }

  /// Reads the result and its region. If the snapshot is invalidated, the request is run again,
  /// three times at most.
  ///
  /// - Parameter last: the region of the previous read; nil if only the region is needed.
  /// - Throws: what the request throws; `MagicError` with `.snapshotTooOld` after the third snapshot.
  private static func find(
    _ request: AnyReadRequest<Value>, after last: ReadLook?, in source: Source
  ) async throws -> Finding {
    for _ in 1..<3 {
      do {
        return try await findOnce(request, after: last, in: source)
      } catch let error as MagicError where error.code == .snapshotTooOld {
        continue
      }
    }
    return try await findOnce(request, after: last, in: source)
  }

  private static func findOnce(
    _ request: AnyReadRequest<Value>, after last: ReadLook?, in source: Source
  ) async throws -> Finding {
    try await source._read { access in
      let reader = access.reader
      if let recorded = last?.recorded { return try record(request, after: recorded, reader) }
      let finding: Finding? = try reader.inSnapshot {
        if let last, try reader.schemaVersion == last.schemaVersion {
          let (value, digest) = try reader.digestingReads { try request.read(on: reader) }
          return .value(value, digest, last)
        }
        return try ReadLook(request, on: reader).map(Finding.other)
      }
      return try finding ?? record(request, after: nil, reader)
    }
  }

  /// Reads the result and records its region.
  private static func record(
    _ request: AnyReadRequest<Value>, after last: RecordedRegion?, _ reader: any EngineReader
  ) throws -> Finding {
    try reader.run { snapshot in
      try snapshot._read { access in
        let reader = access.reader
        let (value, digest, region) = try reader.recordingRegion(after: last) {
          try request.read(on: reader)
        }
        return .value(value, digest, ReadLook(region))
      }
    }
  }
}
