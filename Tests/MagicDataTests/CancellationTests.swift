import EngineConformance
import Foundation
import Logging
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// A call on a cancelled task throws, and stores nothing.
@Suite(.everyEngine) struct CancellationTests {
  let scratch = Scratch()

  @Test func everyVerbOfACancelledTaskThrows() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (ada, new) = (Person(id: "ada", name: "Ada"), Person(id: "new", name: "New"))
    try await magic.update(ada)
    ada.name = "changed"
    let verbs = everyVerb(of: magic, on: ada, and: [new])
    for verb in verbs {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await verb()
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(try await magic.object(of: Person.self).map(\.name) == ["Ada"])
    #expect(new.zIndex == nil)
    try await magic.update(contentsOf: [ada, new])
    #expect(try await magic.object(of: Person.self).map(\.name) == ["changed", "New"])
  }

  @Test(.requires(.statements)) func aBatchCancelledWhileItRunsStoresNothing() async throws {
    let recorder = Recorder<String>()
    let logger = Logger(label: "test") { _ in CancellingHandler(recorder: recorder) }
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(logger: logger))
    try await magic.update(Note("before"))
    recorder.clear()
    let notes = (0..<100_000).map { Note("\($0)") }
    let task = Task { try await magic.update(contentsOf: notes) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(recorder.all.filter { $0.hasPrefix("INSERT") }.count < 2_000)
    #expect(recorder.contains("ROLLBACK"))
    #expect(try await magic.object(of: Note.self).map(\.text) == ["before"])
    #expect(notes.allSatisfy { $0.zIndex == nil })
  }

  @Test func aCancelledWriteDoesNotAffectTheNextWrite() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let tasks = (0..<200).map { index in
      Task {
        if index.isMultiple(of: 2) { await Task.yield() }
        return try await magic.update(Note("\(index)"))
      }
    }
    for (index, task) in tasks.enumerated() where index.isMultiple(of: 2) { task.cancel() }
    var stored: [String] = []
    for (index, task) in tasks.enumerated() {
      do {
        _ = try await task.value
        stored.append("\(index)")
      } catch {
        #expect(error is CancellationError)
        #expect(index.isMultiple(of: 2))
      }
    }
    let texts = try await magic.object(of: Note.self).map(\.text)
    #expect(texts.sorted() == stored.sorted())
    #expect(stored.count >= 100)
  }
}

/// Cancels the task whose save runs its thousandth statement.
private struct CancellingHandler: LogHandler {
  let recorder: Recorder<String>
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .debug

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    recorder.note("\(event.message)")
    if recorder.count == 1_000 { withUnsafeCurrentTask { $0?.cancel() } }
  }
}
