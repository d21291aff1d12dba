import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

@Suite struct ClosingTests {
  let scratch = Scratch()

  @Test func afterCloseEveryVerbThrows() async throws {
    let magic = try await MagicData(path: scratch.file())
    let ada = Person(id: "ada", name: "Ada")
    try await magic.update(ada)
    await magic.close()
    ada.name = "Grace"
    let verbs = everyVerb(of: magic, on: ada)
    for verb in verbs {
      let error = await #expect(throws: MagicError.self) { try await verb() }
      #expect(error?.code == .closed)
    }
    let again = try await MagicData(path: scratch.file())
    #expect(try await again.object(of: Person.self).map(\.name) == ["Ada"])
  }

  @Test func aSecondCloseHasNoEffect() async throws {
    let magic = try await MagicData(path: scratch.file())
    let other = try await MagicData(path: scratch.file())
    await magic.close()
    await magic.close()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { await magic.close() } }
    }
    // The second close of one handle does not close the other.
    try await other.update(Note("a"))
    #expect(try await other.object(of: Note.self).count == 1)
  }

  @Test func writesCalledBeforeCloseAreStored() async throws {
    let magic = try await MagicData(path: scratch.file())
    let writes = (0..<50).map { index in Task { try await magic.update(Note("\(index)")) } }
    // The last write has begun or waits in the queue.
    _ = try await writes[0].value
    await magic.close()
    var stored: Set<String> = []
    for (index, write) in writes.enumerated() {
      do {
        _ = try await write.value
        stored.insert("\(index)")
      } catch {
        #expect((error as? MagicError)?.code == .closed)
      }
    }
    let again = try await MagicData(path: scratch.file())
    #expect(Set(try await again.object(of: Note.self).map(\.text)) == stored)
  }

  @Test func aSecondHandleOnTheSamePathStaysOpen() async throws {
    let first = try await MagicData(path: scratch.file())
    let second = try await MagicData(path: scratch.file())
    try await first.update(Note("a"))
    await first.close()
    try await second.update(Note("b"))
    #expect(try await second.object(of: Note.self).map(\.text) == ["a", "b"])
    let error = await #expect(throws: MagicError.self) { try await first.update(Note("c")) }
    #expect(error?.code == .closed)
    await second.close()
    #expect(openFiles(under: scratch.path) == [])
  }

  @Test func afterCloseNoFileIsOpenAndNoLogIsLeft() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (0..<100).map { Note("\($0)") })
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await magic.object(of: Note.self).count } }
      try await group.waitForAll()
    }
    #expect(!openFiles(under: scratch.path).isEmpty)
    await magic.close()
    #expect(openFiles(under: scratch.path) == [])
    #expect(scratch.names == ["test.sqlite3"])
    withExtendedLifetime(magic) {}
  }

  @Test func releasingTheLastReferenceClosesTheFile() async throws {
    weak var weakly: MagicData?
    do {
      let magic = try await MagicData(path: scratch.file())
      weakly = magic
      try await magic.update(contentsOf: (0..<100).map { Note("\($0)") })
      _ = try await magic.object(of: Note.self)
      _ = try await magic.object(of: Note.self).where { $0.text == "5" }
    }
    #expect(await eventually { weakly == nil })
    #expect(await eventually { openFiles(under: scratch.path) == [] })
    #expect(scratch.names == ["test.sqlite3"])
  }

  @Test func aFileOpensAgainAfterEveryClose() async throws {
    for index in 0..<30 {
      let magic = try await MagicData(path: scratch.file())
      try await magic.update(Note("\(index)"))
      if index.isMultiple(of: 2) { await magic.close() }
    }
    let magic = try await MagicData(path: scratch.file())
    #expect(try await magic.object(of: Note.self).count == 30)
    await magic.close()
    #expect(openFiles(under: scratch.path) == [])
  }

  @Test func concurrentOpensAndClosesLoseNoSave() async throws {
    let path = scratch.file()
    let expected = try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<40 {
        group.addTask {
          let magic = try await MagicData(path: path)
          try await magic.update(Note("\(index)"))
          await magic.close()
        }
      }
      try await group.waitForAll()
      return 40
    }
    let magic = try await MagicData(path: path)
    #expect(try await magic.object(of: Note.self).count == expected)
    await magic.close()
    #expect(openFiles(under: scratch.path) == [])
  }
}
