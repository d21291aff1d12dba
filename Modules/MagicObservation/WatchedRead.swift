import MagicQuery
import MagicSQLite
import MagicStore

/// A read, and who tells when its result may be another.
final class WatchedRead<Value: Sendable>: Sendable {
  private let read: ObservedRead<Value>
  private let watch: RegionFilter
  private let current: Current

  /// Used by one task at a time.
  private final class Current: @unchecked Sendable {
    var look: Look
    var observer: EnteredObserver

    init(_ look: Look, _ observer: EnteredObserver) {
      self.look = look
      self.observer = observer
    }
  }

  /// What the read looks at in a file whose schema has a number.
  private struct Look: Sendable {
    let region: ReadRegion
    let schemaVersion: Int64
  }

  private enum Finding: Sendable {
    case value(Value, ResultDigest.Value)
    /// The file has another schema by now.
    case other(Look)
  }

  init(
    _ read: ObservedRead<Value>, in source: any AsyncDatabaseReader & ObservableDatabase
  ) async throws {
    self.read = read
    let look = try await source._read { access in
      let connection = access.connection
      return try connection.connection.snapshot { try Self.look(read, connection) }
    }
    let watch = RegionFilter(look.region)
    self.watch = watch
    current = Current(look, Self.enter(look.region, watch, source))
  }

  private static func look(
    _ read: ObservedRead<Value>, _ connection: StoreConnection
  ) throws -> Look {
    Look(region: try read.region(connection), schemaVersion: try connection.fileSchemaVersion())
  }

  private static func enter(
    _ region: ReadRegion, _ watch: RegionFilter, _ source: any ObservableDatabase
  ) -> EnteredObserver {
    // All that is said is that something changed: one element is enough.
    let observer = ChangeObserver(region.interest, capacity: 1) { changes in
      guard watch.isTouched(by: changes) else { return nil }
      var summary = CommittedChanges()
      summary.others = [""]
      return summary
    }
    return EnteredObserver(observer, in: source)
  }

  /// Waits for a commit that may have changed the result.
  ///
  /// - Returns: false at the end.
  func change() async -> Bool { await current.observer.observer.next() != nil }

  /// The result now.
  func value(
    _ source: any AsyncDatabaseReader & ObservableDatabase
  ) async throws -> (value: Value, digest: ResultDigest.Value) {
    while true {
      watch.set(rows: nil)
      // What was committed by now is seen by the read that follows.
      _ = current.observer.observer.takeAll()
      switch try await find(in: source) {
      case .value(let value, let digest):
        watch.set(rows: read.rows(value))
        return (value, digest)
      case .other(let look):
        if look.region != current.look.region {
          watch.set(look.region)
          // The new observer is there before the old one goes. What was committed before it came is
          // seen by the read that follows.
          current.observer = Self.enter(look.region, watch, source)
        }
        current.look = look
      }
    }
  }

  /// The result, where the file still has the schema of which is known what the read looks at.
  private func find(
    in source: any AsyncDatabaseReader & ObservableDatabase
  ) async throws -> Finding {
    let version = current.look.schemaVersion
    return try await source._read { [read] access in
      let connection = access.connection
      return try connection.connection.snapshot {
        guard try connection.fileSchemaVersion() == version else {
          return .other(try Self.look(read, connection))
        }
        let digest = ResultDigest()
        connection.digest = digest
        defer { connection.digest = nil }
        return .value(try read.read(connection), digest.value)
      }
    }
  }
}
