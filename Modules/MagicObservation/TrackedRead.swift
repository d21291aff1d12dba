import MagicEngine
import MagicSchema
import MagicStore

/// A request, and the observer of what may change its result.
///
/// What the request looks at is known before it runs, and is another only where the file has another
/// schema; or it is recorded while it runs, and may be another each time.
final class TrackedRead<Value: Sendable>: Sendable {
  typealias Source = any AsyncMagicDatabaseReader & ObservableMagicDatabase

  private let request: AnyReadRequest<Value>
  private let filter: RegionFilter
  private let current: Current

  /// Used by one task at a time.
  private final class Current: @unchecked Sendable {
    var look: ReadLook
    var registration: ObserverRegistration
    /// What the observer and its filter let pass.
    var observed: ReadRegion

    init(_ look: ReadLook, _ registration: ObserverRegistration) {
      self.look = look
      self.registration = registration
      observed = look.region
    }
  }

  private enum Finding: Sendable {
    case value(Value, ResultDigest.Value, ReadLook)
    /// The file has another schema by now.
    case other(ReadLook)
  }

  /// Finds out what the request looks at: one that does not say so is run for it.
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
    _ region: ReadRegion, _ filter: RegionFilter, _ source: any ObservableMagicDatabase
  ) -> ObserverRegistration {
    // All that is said is that something changed: one element is enough.
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
  /// - Returns: false at the end.
  func change() async -> Bool { await current.registration.observer.next() != nil }

  /// The result now, of a newer snapshot where that of the read was taken away.
  ///
  /// - Throws: what the request throws; `MagicError` with `.snapshotTooOld` after the third snapshot.
  func value(_ source: Source) async throws -> (value: Value, digest: ResultDigest.Value) {
    var tried: ReadRegion?
    while true {
      filter.set(rows: nil)
      // What was committed by now is seen by the read that follows.
      _ = current.registration.observer.takeAll()
      switch try await Self.find(request, after: current.look, in: source) {
      case .value(let value, let digest, let look) where isObserved(look.region):
        current.look = look
        narrow(to: look.region)
        filter.set(rows: request.rows(of: value))
        return (value, digest)
      case .value(_, _, let look):
        // A commit since may have changed the result. A read that looks at something else each time
        // ends all the same: in the end all of it is observed.
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

  private func observe(_ region: ReadRegion, _ source: any ObservableMagicDatabase) {
    guard region != current.observed else { return }
    filter.set(region)
    // The new observer is there before the old one ends. What was committed before it came is seen
    // by the read that follows.
    current.registration = Self.register(region, filter, source)
    current.observed = region
  }

  /// Observes no more than a part of what is observed.
  private func narrow(to region: ReadRegion) {
    guard region != current.observed else { return }
    filter.set(region)
    current.observed = region
  }

  /// Reads the result, and what it looks at: again where its snapshot was taken away.
  ///
  /// - Parameter last: what it looked at the time before; nil where only that is asked.
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

  /// Reads the result, and records what it looks at.
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
