import Foundation
import MagicSchema
@testable import MagicStore
import SQLiteEngine
import Testing

/// The states of an open database, and what each admits.
@Suite struct StoreLifecycleTests {
  private let scratch = Scratch()

  private func code(_ body: () throws -> Void) -> MagicError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? MagicError)?.code
    }
  }

  @Test func anOpenStoreAdmitsCalls() throws {
    let lifecycle = StoreLifecycle()
    #expect(lifecycle.state == .open)
    try lifecycle.checkAdmitsCalls()
    try lifecycle.checkWritable()
    try lifecycle.checkNotInterrupted()
  }

  @Test func aDamagedStoreAdmitsReadsAlone() throws {
    let lifecycle = StoreLifecycle()
    lifecycle.noteDamage()
    #expect(lifecycle.state == .damaged)
    try lifecycle.checkAdmitsCalls()
    #expect(code { try lifecycle.checkWritable() } == .corrupt)
  }

  @Test func aSuspendedStoreRefusesCallsAndTellsThoseThatRun() throws {
    let lifecycle = StoreLifecycle()
    lifecycle.suspend()
    #expect(lifecycle.state == .suspending)
    #expect(code { try lifecycle.checkAdmitsCalls() } == .suspended)
    #expect(code { try lifecycle.checkNotInterrupted() } == .suspended)
    lifecycle.didSuspend()
    #expect(lifecycle.state == .suspended)
    #expect(code { try lifecycle.checkAdmitsCalls() } == .suspended)
    lifecycle.resume()
    #expect(lifecycle.state == .open)
    try lifecycle.checkAdmitsCalls()
  }

  @Test func suspendingForgetsNoDamage() {
    let lifecycle = StoreLifecycle()
    lifecycle.noteDamage()
    lifecycle.suspend()
    #expect(lifecycle.state == .suspending)
    lifecycle.resume()
    #expect(lifecycle.state == .damaged)
  }

  @Test func aStoreThatWasResumedMeanwhileIsNotSuspended() {
    let lifecycle = StoreLifecycle()
    lifecycle.suspend()
    lifecycle.resume()
    lifecycle.didSuspend()
    #expect(lifecycle.state == .open)
  }

  @Test func aClosedStoreStaysClosed() throws {
    let lifecycle = StoreLifecycle()
    lifecycle.suspend()
    #expect(lifecycle.close())
    #expect(!lifecycle.close())
    lifecycle.resume()
    #expect(lifecycle.state == .closed)
    #expect(code { try lifecycle.checkAdmitsCalls() } == .closed)
    // What runs may end.
    try lifecycle.checkNotInterrupted()
  }

  @Test func aStoreGoesThroughItsStates() throws {
    let store = try scratch.open()
    #expect(store.shared.lifecycle.state == .open)
    try store.suspend()
    #expect(store.shared.lifecycle.state == .suspended)
    store.resume()
    #expect(store.shared.lifecycle.state == .open)
    store.close()
    #expect(store.shared.lifecycle.state == .closed)
  }

  @Test func aFileThatIsOpenedAgainIsNotSuspended() throws {
    let first = try scratch.open()
    let closed = first.shared
    try first.suspend()
    #expect(throws: MagicError.self) { try scratch.open() }
    first.close()
    let second = try scratch.open()
    defer { second.close() }
    #expect(second.shared !== closed)
    #expect(second.shared.lifecycle.state == .open)
    try second.update(Note("kept"))
  }

  @Test func theStoresOfAFileShareItsFeedWhileOneExists() throws {
    let first = try scratch.open()
    try first.update(Note("x"))
    let closed = first.shared
    first.close()
    let second = try scratch.open()
    let reading = try scratch.open(StoreOptions(readOnly: true))
    defer {
      second.close()
      reading.close()
    }
    #expect(second.shared.feed === closed.feed)
    #expect(reading.shared.feed === closed.feed)
    #expect(reading.shared !== second.shared)
    #expect(reading.shared.token == second.shared.token)
  }

  @Test func aClosedStoreIsNotFoundByItsToken() throws {
    let store = try scratch.open()
    let shared = store.shared
    #expect(DatabaseRegistry.shared.store(shared.token) === shared)
    store.close()
    #expect(DatabaseRegistry.shared.store(shared.token) == nil)
  }
}
