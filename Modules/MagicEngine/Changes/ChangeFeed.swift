package import MagicRuntime

/// Notifies the observers of a database of its commits. All stores of a file in this process share
/// one feed.
package final class ChangeFeed: Locked, @unchecked Sendable {
  package let origin = ProcessOrigin()
  private typealias Observers = [ObjectIdentifier: ChangeObserver]

  private var all: Observers = [:]
  private var byTable: [String: Observers] = [:]
  /// The observers of every commit.
  private var general: Observers = [:]
  /// The observers that were added after the last commit that recorded for all observers.
  @exclusivity(unchecked) private var recent: Observers = [:]
  private var typeCounts: [String: Int] = [:]
  private var tableCounts: [String: Int] = [:]
  private var primaries: [String: String] = [:]
  private var keys: [String: [String]] = [:]
  private var joinTypes: [String: [ObservedJoinType]] = [:]
  private var allTypesCount = 0
  private var anyCount = 0
  @exclusivity(unchecked) private var currentGeneration: UInt64 = 0
  private var writers: Set<ObjectIdentifier> = []

  package override init() { super.init() }

  /// A number that changes when observers are added or removed.
  package var generation: UInt64 { withLock { currentGeneration } }

  /// Whether there are observers.
  package var hasObservers: Bool { withLock { !all.isEmpty } }

  /// The number of observers.
  package var observerCount: Int { withLock { all.count } }

  /// Returns the filter for the changes that must be recorded, and the generation of the set of
  /// observers.
  package func recordingFilter() -> (filter: ObservationFilter, generation: UInt64) {
    withLock {
      var filter = ObservationFilter(types: Set(typeCounts.keys), tables: Set(tableCounts.keys))
      filter.isAllTypes = allTypesCount > 0
      filter.isAny = anyCount > 0
      filter.primaries = primaries
      filter.keys = keys
      filter.joinTypes = joinTypes
      return (filter, currentGeneration)
    }
  }

  /// Whether a store that can write is open. Such a store polls for the commits of other processes.
  package var hasWriter: Bool { withLock { !writers.isEmpty } }

  /// Registers a writing connection.
  package func add(writer: ObjectIdentifier) { withLock { _ = writers.insert(writer) } }

  /// Removes a writing connection.
  package func remove(writer: ObjectIdentifier) {
    guard !origin.isForked else { return }
    withLock { _ = writers.remove(writer) }
  }

  /// Registers an observer of every later commit.
  package func add(_ observer: ChangeObserver, owner: ObjectIdentifier) {
    withLock {
      currentGeneration += 1
      observer.attach(to: self, owner: owner, generation: currentGeneration)
      all[ObjectIdentifier(observer)] = observer
      recent[ObjectIdentifier(observer)] = observer
      count(observer.filter, 1)
      forEachIndex(of: observer.filter) { $0[ObjectIdentifier(observer)] = observer }
    }
  }

  func remove(_ observer: ChangeObserver) {
    withLock {
      guard all.removeValue(forKey: ObjectIdentifier(observer)) != nil else { return }
      currentGeneration += 1
      recent[ObjectIdentifier(observer)] = nil
      count(observer.filter, -1)
      forEachIndex(of: observer.filter) { $0[ObjectIdentifier(observer)] = nil }
    }
  }

  private func forEachIndex(of filter: ObservationFilter, _ body: (inout Observers) -> Void) {
    if filter.isAllTypes || filter.isAny { body(&general) }
    for table in filter.types.union(filter.tables) {
      body(&byTable[table, default: [:]])
      if byTable[table]?.isEmpty == true { byTable[table] = nil }
    }
  }

  private func count(_ filter: ObservationFilter, _ step: Int) {
    func count(_ names: Set<String>, in counts: inout [String: Int]) {
      for name in names {
        let count = counts[name, default: 0] + step
        counts[name] = count == 0 ? nil : count
      }
    }
    count(filter.types, in: &typeCounts)
    for (type, primary) in filter.primaries {
      primaries[type] = typeCounts[type] == nil ? nil : primary
    }
    for (type, key) in filter.keys { keys[type] = typeCounts[type] == nil ? nil : key }
    for (type, joins) in filter.joinTypes {
      joinTypes[type] = typeCounts[type] == nil ? nil : joins
    }
    count(filter.tables, in: &tableCounts)
    if filter.isAllTypes { allTypesCount += step }
    if filter.isAny { anyCount += step }
  }

  /// Ends the observers of a handle, or all observers.
  package func finish(_ owner: ObjectIdentifier? = nil) {
    guard !origin.isForked else { return }
    let ended = withLock { all.values.filter { owner == nil || $0.owner == owner } }
    for observer in ended {
      remove(observer)
      observer.finish()
    }
  }

  /// Publishes a committed transaction. Called in the order of commits.
  ///
  /// - Parameters:
  ///   - changes: the recorded changes, or nil if nothing was changed that the recording includes.
  ///   - known: the scope of the recording, as it was when the body of the transaction began.
  package func publish(_ changes: CommittedChanges?, known: RecordingScope) {
    let recipients = withLock { () -> (notified: [ChangeObserver], late: [ChangeObserver])? in
      var late: Observers = [:]
      if known.generation == currentGeneration {
        if !recent.isEmpty { recent.removeAll() }
        if changes == nil { return nil }
      } else if known.hasWritten {
        late = recent.filter { missesChanges($0.value, known) }
      }
      guard let changes else { return ([], Array(late.values)) }
      return (observers(of: changes, except: late), Array(late.values))
    }
    guard let recipients else { return }
    if let changes { for observer in recipients.notified { observer.offer(changes) } }
    // These observers were added while the transaction ran: no changes were recorded for them.
    for observer in recipients.late { observer.offer(.unrecorded) }
  }

  /// Returns the observers of changes, each once.
  private func observers(
    of changes: CommittedChanges, except late: Observers
  ) -> [ChangeObserver] {
    var groups = general.isEmpty ? [] : [general]
    changes.forEachTableName { if let group = byTable[$0] { groups.append(group) } }
    guard groups.count > 1 || !late.isEmpty else {
      return groups.first.map { Array($0.values) } ?? []
    }
    var notified: Observers = [:]
    for group in groups { notified.merge(group) { first, _ in first } }
    for observer in late.keys { notified[observer] = nil }
    return Array(notified.values)
  }

  /// Whether an observer was added after a transaction began, and observes changes that were not
  /// recorded.
  private func missesChanges(_ observer: ChangeObserver, _ known: RecordingScope) -> Bool {
    observer.generation > known.generation
      && !(known.filter?.value.covers(observer.filter) ?? false)
  }

  /// Publishes a commit of another process.
  package func publishExternal() {
    for observer in withLock({ Array(all.values) }) { observer.offer(.external) }
  }
}
