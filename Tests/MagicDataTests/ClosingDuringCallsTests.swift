import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Closing while calls run. These reads block a thread each, so one test runs at a time.
@Suite(.serialized) struct ClosingDuringCallsTests {
  let scratch = Scratch()
  let isReading = Flag()
  let mayContinue = Flag()

  /// A read that runs until ``mayContinue`` is set.
  private func slowRead(_ magic: MagicData) async throws -> Task<Note, any Error> {
    let (isReading, mayContinue) = (isReading, mayContinue)
    let read = Task.detached {
      try await magic.object(of: Note.self).where { note in
        if note.text == "0" {
          isReading.set()
          mayContinue.wait()
        }
        return note.text == "9"
      }
    }
    #expect(await eventually { isReading.isSet })
    return read
  }

  @Test func closeWaitsForARunningRead() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (0..<10).map { Note("\($0)") })
    let read = try await slowRead(magic)
    let isClosed = Flag()
    let closing = Task.detached {
      await magic.close()
      isClosed.set()
    }
    try await Task.sleep(nanoseconds: 100_000_000)
    #expect(!isClosed.isSet)
    mayContinue.set()
    #expect(try await read.value.text == "9")
    await closing.value
    #expect(openFiles(under: scratch.path) == [])
  }

  @Test func readsThatWaitForAConnectionFinishBeforeClose() async throws {
    let magic = try await MagicData(path: scratch.file(), options: MagicOptions(readers: 1))
    try await magic.update(contentsOf: (0..<10).map { Note("\($0)") })
    let first = try await slowRead(magic)
    let second = Task.detached { try await magic.object(of: Note.self).count }
    try await Task.sleep(nanoseconds: 100_000_000)
    let closing = Task.detached { await magic.close() }
    try await Task.sleep(nanoseconds: 100_000_000)
    mayContinue.set()
    _ = try await first.value
    #expect(try await second.value == 10)
    await closing.value
  }

  @Test func aRunningReadKeepsAReleasedDatabaseOpen() async throws {
    weak var weakly: MagicData?
    let read: Task<Note, any Error>
    do {
      let magic = try await MagicData(path: scratch.file())
      weakly = magic
      try await magic.update(contentsOf: (0..<10).map { Note("\($0)") })
      read = try await slowRead(magic)
    }
    mayContinue.set()
    #expect(try await read.value.text == "9")
    #expect(await eventually { weakly == nil })
    #expect(await eventually { openFiles(under: scratch.path) == [] })
  }

  @Test func writesContinueDuringAReadAndTheCloseOfAnotherHandle() async throws {
    let magic = try await MagicData(path: scratch.file())
    let other = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (0..<10).map { Note("\($0)") })
    let read = try await slowRead(magic)
    try await other.update(Note("10"))
    await other.close()
    mayContinue.set()
    // The read sees the state at its start.
    #expect(try await read.value.text == "9")
    #expect(try await magic.object(of: Note.self).count == 11)
  }
}
