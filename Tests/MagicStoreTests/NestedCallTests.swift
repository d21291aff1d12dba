import EngineConformance
import Foundation
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// Nested calls of a store: refused immediately, for any number of free readers.
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct NestedCallTests {
  private let scratch = Scratch()

  /// Runs the body on its own thread, so that a body that blocks forever fails the test.
  private func onThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let (done, failure) = (DispatchSemaphore(value: 0), Failure())
    Thread {
      do { try body() } catch { failure.error = error }
      done.signal()
    }.start()
    try #require(done.wait(timeout: .now() + 20) == .success)
    if let error = failure.error { throw error }
  }

  private final class Failure: @unchecked Sendable {
    var error: (any Error)?
  }

  private func open(readers: Int) throws -> MagicObjectStore {
    let store = try scratch.open(MagicOptions(readers: readers))
    try store.update(Note("a"))
    return store
  }

  @Test(arguments: [1, 4]) func aReadInsideAReadIsAnError(readers: Int) throws {
    let store = try open(readers: readers)
    try onThread {
      let error = #expect(throws: MagicError.self) {
        try store.read { _ in try store.object(of: Note.self).count }
      }
      #expect(error?.code == .nestedCall)
    }
  }

  @Test(arguments: [1, 4]) func aReadInsideAClosureOfAReadIsAnError(readers: Int) throws {
    let store = try open(readers: readers)
    try onThread {
      let error = #expect(throws: MagicError.self) {
        try store.first(of: Note.self) { _ in try store.object(of: Note.self).isEmpty }
      }
      #expect(error?.code == .nestedCall)
    }
  }

  @Test func aReadInsideATransactionIsAnError() throws {
    let store = try open(readers: 4)
    try onThread {
      try store.transaction { _ in
        let error = #expect(throws: MagicError.self) { try store.object(of: Note.self) }
        #expect(error?.code == .nestedCall)
      }
    }
  }

  @Test func aWriteInsideAReadIsAnError() throws {
    let store = try open(readers: 4)
    try onThread {
      try store.read { _ in
        let error = #expect(throws: MagicError.self) { try store.update(Note("b")) }
        #expect(error?.code == .nestedCall)
      }
    }
    #expect(try store.object(of: Note.self).count == 1)
  }

  @Test func aReadInsideAReadOfATaskIsAnError() async throws {
    let store = try open(readers: 4)
    let code = try await store.database.reading { _ in
      #expect(throws: MagicError.self) { try store.object(of: Note.self) }?.code
    }
    #expect(code == .nestedCall)
  }

  @Test(.requires(.sharedHandles)) func aStoreOnTheSameFileIsTheSameStore() throws {
    let store = try open(readers: 4)
    let second = try scratch.open()
    try onThread {
      try store.read { _ in
        let error = #expect(throws: MagicError.self) { try second.object(of: Note.self) }
        #expect(error?.code == .nestedCall)
      }
    }
  }

  @Test func anotherStoreIsReadInsideARead() throws {
    let store = try open(readers: 1)
    let other = try MagicObjectStore.onTestedEngine(.memory)
    try onThread {
      try store.read { snapshot in
        #expect(try other.object(of: Note.self).isEmpty)
        try other.update(Note("copy"))
        #expect(try snapshot.object(of: Note.self).count == 1)
        #expect(throws: MagicError.self) {
          try other.read { _ in try store.object(of: Note.self) }
        }
      }
    }
  }

  @Test func theThreadCallsAgainAfterACallThatThrew() throws {
    let store = try open(readers: 1)
    try onThread {
      #expect(throws: CancellationError.self) {
        try store.read { _ in throw CancellationError() }
      }
      #expect(throws: CancellationError.self) {
        try store.transaction { _ in throw CancellationError() }
      }
      try store.update(Note("b"))
      #expect(try store.object(of: Note.self).count == 2)
    }
  }

  @Test func anotherThreadReadsDuringARead() throws {
    let store = try open(readers: 2)
    try store.read { _ in
      try onThread {
        let count = try store.object(of: Note.self).count
        #expect(count == 1)
      }
    }
  }
}
