import EngineConformance
import Foundation
import MagicRuntime
import MagicSchema
@testable import MagicStore
@testable import SQLiteStore
import MagicTestSupport
import SQLiteEngine
import TestModels
import Testing

/// The states of an open database, and the calls that each allows.
@Suite struct StoreLifecycleTests {
  private let scratch = Scratch()

  @Test func anOpenStoreAllowsCalls() throws {
    let lifecycle = StoreLifecycle()
    #expect(lifecycle.state == .open)
    try lifecycle.checkAdmitsCalls()
    try lifecycle.checkWritable()
    try lifecycle.checkNotSuspended()
  }

  @Test func aDamagedStoreAllowsOnlyReads() throws {
    let lifecycle = StoreLifecycle()
    lifecycle.noteDamage()
    #expect(lifecycle.state == .damaged)
    try lifecycle.checkAdmitsCalls()
    #expect(code { try lifecycle.checkWritable() } == .corrupt)
  }

  @Test func suspendingRefusesNewCallsAndInterruptsRunningOnes() throws {
    let lifecycle = StoreLifecycle()
    lifecycle.suspend()
    #expect(lifecycle.state == .suspending)
    #expect(code { try lifecycle.checkAdmitsCalls() } == .suspended)
    #expect(code { try lifecycle.checkNotSuspended() } == .suspended)
    lifecycle.didSuspend()
    #expect(lifecycle.state == .suspended)
    #expect(code { try lifecycle.checkAdmitsCalls() } == .suspended)
    lifecycle.resume()
    #expect(lifecycle.state == .open)
    try lifecycle.checkAdmitsCalls()
  }

  @Test func aSuspendedStoreIsStillDamaged() {
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
    // Running calls may finish.
    try lifecycle.checkNotSuspended()
  }

  @Test func aStoreHasItsStatesInOrder() throws {
    let store = try scratch.open()
    #expect(store.shared.lifecycle.state == .open)
    try store.suspend()
    #expect(store.shared.lifecycle.state == .suspended)
    store.resume()
    #expect(store.shared.lifecycle.state == .open)
    store.close()
    #expect(store.shared.lifecycle.state == .closed)
  }

  @Test func aReopenedFileIsNotSuspended() throws {
    let first = try scratch.open()
    let closed = first.shared
    try first.suspend()
    #expect(code { _ = try scratch.open() } == .suspended)
    first.close()
    let second = try scratch.open()
    defer { second.close() }
    #expect(second.shared !== closed)
    #expect(second.shared.lifecycle.state == .open)
    try second.update(Note("kept"))
  }

  @Test func allStoresOfAFileShareItsFeedWhileOneExists() throws {
    let first = try scratch.open()
    try first.update(Note("x"))
    let closed = first.shared
    first.close()
    let second = try scratch.open()
    let reading = try scratch.open(MagicOptions(readOnly: true))
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
    #expect(OpenDatabases.shared.database(shared.token) === shared)
    store.close()
    #expect(OpenDatabases.shared.database(shared.token) == nil)
  }

  @Test func aClosedHandleOnASuspendedFileIsClosed() throws {
    let (closed, other) = (try scratch.open(), try scratch.open())
    defer { other.close() }
    closed.close()
    try other.suspend()
    #expect(code { try closed.update(Note("lost")) } == .closed)
    #expect(code { try other.update(Note("refused")) } == .suspended)
    other.resume()
    #expect(code { try closed.update(Note("lost")) } == .closed)
  }

  @Test func resumingAClosedHandleLeavesTheFileUsable() throws {
    let first = try scratch.open()
    let closed = first.shared
    try first.suspend()
    first.close()
    first.resume()
    #expect(closed.lifecycle.state == .closed)
    try first.suspend()
    let second = try scratch.open()
    defer { second.close() }
    try second.update(Note("kept"))
  }

  @Test func aFileThatCannotBeOpenedIsNotSuspendedLater() throws {
    let path = scratch.file("broken.sqlite3")
    try Data(repeating: 7, count: 4_096).write(to: URL(fileURLWithPath: path))
    #expect(code { _ = try MagicObjectStore.open(.file(path)) } == .notADatabase)
    try FileManager.default.removeItem(atPath: path)
    let store = try MagicObjectStore.open(.file(path))
    try store.suspend()
    store.resume()
    try store.update(Note("kept"))
    store.close()
  }

  @Test(.timeLimit(.minutes(5))) func openingClosingAndSuspendingAtOnceLeaveTheFileUsable() throws {
    try scratch.using { try $0.update(Note("first")) }
    let scratch = scratch
    DispatchQueue.concurrentPerform(iterations: 6) { worker in
      for round in 0..<40 {
        let options = MagicOptions(readOnly: (worker + round).isMultiple(of: 3))
        guard let store = try? scratch.open(options) else { continue }
        if (worker + round).isMultiple(of: 2) {
          try? store.suspend()
          store.resume()
        } else {
          _ = try? store.object(of: Note.self)
        }
        store.close()
      }
    }
    let store = try scratch.open()
    defer { store.close() }
    #expect(store.shared.lifecycle.state == .open)
    #expect(try store.object(of: Note.self).map(\.text) == ["first"])
  }
}

/// The handle of a database, and the writes that closing it waits for.
@Suite struct StoreHandleTests {
  @Test func aClosedHandleRefusesWrites() throws {
    let handle = StoreHandle()
    try handle.beginWrite()
    #expect(handle.close())
    #expect(!handle.close())
    #expect(throws: MagicError.self) { try handle.beginWrite() }
    handle.endWrite()
  }

  @Test(.timeLimit(.minutes(5))) func closingWaitsForWritesThatHaveBegun() async throws {
    let handle = StoreHandle()
    try handle.beginWrite()
    try handle.beginWrite()
    _ = handle.close()
    let hasEnded = Mutex(false)
    async let ended: Void = {
      await handle.writesEnded()
      hasEnded.withLock { $0 = true }
    }()
    handle.endWrite()
    for _ in 0..<20 { await Task.yield() }
    #expect(!hasEnded.withLock { $0 })
    handle.endWrite()
    await ended
    #expect(hasEnded.withLock { $0 })
    // Without writes, closing does not wait.
    await handle.writesEnded()
  }
}
