import Foundation
import Logging
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Several users of one file: in this process, and in others.
@Suite struct SharingTests {
  let scratch = Scratch()

  @Test func twoHandlesOnOnePathWriteWithoutALockError() async throws {
    let options = MagicOptions(busyTimeout: 0)
    let first = try await MagicData(path: scratch.file(), options: options)
    let second = try await MagicData(path: scratch.file(), options: options)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        let magic = index.isMultiple(of: 2) ? first : second
        group.addTask { try await magic.update(Note("\(index)")) }
      }
      try await group.waitForAll()
    }
    let texts = try await first.object(of: Note.self).map(\.text)
    #expect(Set(texts) == Set((0..<200).map(String.init)))
    #expect(texts.count == 200)
    // One writing connection, for any number of handles.
    let log = openFiles(under: scratch.path).filter { $0.hasSuffix("-wal") }
    #expect(log.count <= 1 + 4)
    withExtendedLifetime(second) {}
  }

  @Test func aSymbolicLinkAndARelativePathOpenTheSameDatabase() async throws {
    let magic = try await MagicData(path: scratch.file())
    let note = Note("shared")
    let zIndex = try await magic.update(note)

    try FileManager.default.createDirectory(
      atPath: scratch.file("links"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("links/file"), withDestinationPath: scratch.file())
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("links/directory"), withDestinationPath: scratch.path)
    let up = FileManager.default.currentDirectoryPath.split(separator: "/").map { _ in ".." }
    let relative = up.joined(separator: "/") + scratch.file()

    for path in [
      scratch.file("links/file"), scratch.file("links/directory/test.sqlite3"), relative,
      scratch.file("links/../test.sqlite3"),
    ] {
      let other = try await MagicData(path: path)
      // It is a row for the other handle too: nothing is inserted.
      #expect(try await other.update(note) == zIndex)
      #expect(try await other.object(of: Note.self).count == 1)
      await other.close()
    }
    #expect(
      scratch.names.filter { !$0.hasPrefix("test.sqlite3") }
        == ["links", "links/directory", "links/file"])
  }

  @Test func aSaveOfOneHandleIsVisibleToTheOtherImmediately() async throws {
    let first = try await MagicData(path: scratch.file())
    let second = try await MagicData(path: scratch.file())
    for index in 0..<50 {
      try await first.update(Person(id: "\(index)", name: "n"))
      #expect(try await second.has(of: Person.self, primary: "\(index)"))
    }
  }

  @Test func theStrongestDurabilityApplies() async throws {
    let recorder = Recorder<String>()
    let first = try await MagicData(
      path: scratch.file(),
      options: MagicOptions(durability: .normal, logger: recorder.logger()))
    #expect(recorder.contains("synchronous = NORMAL"))
    #expect(!recorder.contains("synchronous = FULL"))
    let second = try await MagicData(path: scratch.file(), options: MagicOptions(durability: .full))
    try await second.update(Note("a"))
    #expect(recorder.contains("synchronous = FULL"))
    recorder.clear()
    let third = try await MagicData(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    #expect(!recorder.contains("synchronous"))
    withExtendedLifetime((first, second, third)) {}
  }

  @Test func aWriteWaitsForTheLockOfAnotherConnectionAndThenFails() async throws {
    let magic = try await MagicData(path: scratch.file(), options: MagicOptions(busyTimeout: 0.3))
    let note = Note("a")
    try await magic.update(note)
    note.text = "b"

    let other = try scratch.raw()
    try other.execute("BEGIN IMMEDIATE")
    let start = ContinuousClock.now
    let error = await #expect(throws: MagicError.self) { try await magic.update(note) }
    let waited = ContinuousClock.now - start
    #expect(error?.code == .busy)
    #expect(waited >= .milliseconds(250) && waited < .seconds(60))
    // Reads do not wait for it.
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a"])

    try other.execute("ROLLBACK")
    try await magic.update(note)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["b"])
  }

  @Test func aLockThatIsReleasedInTimeIsNoError() async throws {
    let magic = try await MagicData(path: scratch.file(), options: MagicOptions(busyTimeout: 8))
    try await magic.update(Note("a"))
    let path = scratch.file()
    let held = Flag()
    Thread.detachNewThread {
      guard let other = try? SQLiteConnection(path: path) else { return }
      try? other.execute("BEGIN IMMEDIATE")
      held.set()
      Thread.sleep(forTimeInterval: 0.3)
      try? other.execute("COMMIT")
    }
    #expect(await eventually { held.isSet })
    try await magic.update(Note("b"))
    #expect(try await magic.object(of: Note.self).count == 2)
  }

  @Test func aSecondProcessReadsAndWritesTheSameFile() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Person(id: "parent", name: "before"))
    async let mine: Void = {
      for index in 0..<50 { try await magic.update(Note("parent \(index)")) }
    }()
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let magic = try await MagicData(path: path)
      for index in 0..<50 { try await magic.update(Note("child \(index)")) }
      let person = try await magic.object(of: Person.self, primary: "parent")
      person.name = "after"
      try await magic.update(person)
      await magic.close()
    }
    try await mine
    let texts = try await magic.object(of: Note.self).map(\.text)
    let expected = (0..<50).flatMap { ["parent \($0)", "child \($0)"] }
    #expect(texts.sorted() == expected.sorted())
    #expect(try await magic.object(of: Person.self, primary: "parent").name == "after")
    let zIndexes = try await magic.object(of: Note.self).compactMap(\.zIndex)
    #expect(Set(zIndexes).count == 100)
  }

  @Test func anotherProcessMayCreateTheTableFirst() async throws {
    let magic = try await MagicData(path: scratch.file())
    #expect(try await magic.object(of: Note.self).isEmpty)
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let magic = try await MagicData(path: path)
      try await magic.update(Note("child"))
    }
    #expect(try await magic.object(of: Note.self).map(\.text) == ["child"])
    try await magic.update(Note("parent"))
    #expect(try await magic.object(of: Note.self).map(\.text) == ["child", "parent"])
  }

  @Test func aReadOnlyHandleAndAWritingHandleShareAFile() async throws {
    let writer = try await MagicData(path: scratch.file())
    try await writer.update(Note("a"))
    let reader = try await MagicData(path: scratch.file(), options: MagicOptions(readOnly: true))
    #expect(try await reader.object(of: Note.self).map(\.text) == ["a"])
    try await writer.update(Note("b"))
    #expect(try await reader.object(of: Note.self).map(\.text) == ["a", "b"])
    let error = await #expect(throws: MagicError.self) { try await reader.update(Note("c")) }
    #expect(error?.code == .readOnly)
  }
}
