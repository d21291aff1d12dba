import Foundation
import MagicRuntime
import PostgreSQLEngine

/// Where commits are found.
enum CommitRecord: Sendable {
  case log, outbox
}

/// The commits of a database that its publisher has not published yet.
final class PendingCommits: Sendable {
  private let state = Mutex(State())

  private struct State: Sendable {
    var record: CommitRecord?
    var commits: [UInt64: PendingCommit] = [:]
  }

  /// The numbers are unique in the process, so that another database of it does not take a commit for
  /// one of its own.
  private static let lastNumber = Mutex(UInt64(0)).lockedDuringForks()

  /// Where the databases of this process that publish commits find them, one for each database.
  private static let publishing = Mutex([CommitRecord]()).lockedDuringForks()

  /// Whether a database of this process finds commits in a record.
  static func areFound(in record: CommitRecord) -> Bool {
    publishing.withLock { $0.contains(record) }
  }

  static func newNumber() -> UInt64 {
    lastNumber.withLock { last in
      last += 1
      return last
    }
  }

  /// Accepts commits from now on, which will be found in a record.
  func open(_ record: CommitRecord) {
    state.withLock { $0.record = record }
    Self.publishing.withLock { $0.append(record) }
  }

  /// Refuses later commits, and ends the waits for the others.
  func close() {
    let (record, commits) = state.withLock { state in
      defer { (state.record, state.commits) = (nil, [:]) }
      return (state.record, Array(state.commits.values))
    }
    guard let record else { return }
    Self.publishing.withLock { records in
      if let index = records.firstIndex(of: record) { records.remove(at: index) }
    }
    for commit in commits { commit.end() }
  }

  /// Adds a commit; nil if commits are not published.
  func add() -> (number: UInt64, commit: PendingCommit, record: CommitRecord)? {
    state.withLock { state in
      guard let record = state.record else { return nil }
      let number = Self.newNumber()
      let commit = PendingCommit()
      state.commits[number] = commit
      return (number, commit, record)
    }
  }

  /// Removes a commit that was found in the log.
  func take(_ number: UInt64) -> PendingCommit? {
    state.withLock { $0.commits.removeValue(forKey: number) }
  }

  /// Whether no write waits for its publication.
  var isEmpty: Bool { state.withLock { $0.commits.values.allSatisfy(\.hasFailed) } }

  /// Ends the waits for commits that were added long ago.
  func endOldWaits() {
    let old = Date(timeIntervalSinceNow: -Self.longestWait)
    let commits = state.withLock { $0.commits.values.filter { $0.added < old } }
    for commit in commits { commit.end() }
    state.withLock { state in
      state.commits = state.commits.filter { !$0.value.hasFailed || $0.value.added > old }
    }
  }

  /// The longest time in seconds that a write waits for its publication.
  static let longestWait = 5.0
}

/// A commit that is published when the log contains it.
final class PendingCommit: PublishedCommit {
  let added = Date()
  private let state = Mutex(State())

  private struct State: Sendable {
    /// Whether the objects of the transaction have their new state.
    var isConfirmed = false
    var hasFailed = false
    var hasEnded = false
    var publisher: Waiter<Void>?
    var waiters = WaiterQueue<Void>()
  }

  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  func didCommit() { confirm(hasFailed: false) }

  func didFail() { confirm(hasFailed: true) }

  private func confirm(hasFailed: Bool) {
    let publisher = state.withLock { state in
      state.isConfirmed = true
      state.hasFailed = hasFailed
      defer { state.publisher = nil }
      return state.publisher
    }
    publisher?.resume(())
  }

  /// Blocks the thread of the publisher until the objects of the transaction have their new state.
  @available(*, noasync)
  func waitForConfirmation() {
    Waiter<Void>().waitBlocking { waiter in
      let isConfirmed = state.withLock { state in
        if !state.isConfirmed { state.publisher = waiter }
        return state.isConfirmed
      }
      if isConfirmed { waiter.resume(()) }
    }
  }

  /// Ends the waits of the writers.
  func end() {
    let waiters = state.withLock { state in
      state.hasEnded = true
      return state.waiters.popAll()
    }
    for waiter in waiters { waiter.resume(()) }
  }

  func wait() async {
    await Waiter<Void>().wait(cancelled: (), enter: { enter($0) }) { waiter in
      state.withLock { $0.waiters.remove(waiter) }
    }
  }

  @available(*, noasync)
  func waitBlocking() { Waiter<Void>().waitBlocking { enter($0) } }

  private func enter(_ waiter: Waiter<Void>) {
    let mustWait = state.withLock { state in
      if state.hasEnded || Task.isCancelled { return false }
      state.waiters.append(waiter)
      return true
    }
    if !mustWait { waiter.resume(()) }
  }
}
