import EngineConformance
import Foundation
import Logging
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

@Suite struct OptionTests {
  let scratch = Scratch()

  private func filled() async throws -> String {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (0..<50).map { Person(id: "\($0)", name: "p\($0)") })
    await magic.close()
    return scratch.file()
  }

  @Test func aReadOnlyDatabaseIsReadAndNotWritten() async throws {
    let path = try await filled()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let magic = try await MagicData(path: path, options: MagicOptions(readOnly: true))
    let all = try await magic.object(of: Person.self)
    #expect(all.count == 50)
    all[0].name = "changed"
    for verb in [
      { try await magic.update(all[0]) }, { try await magic.remove(all[0]) },
      { try await magic.removeAll(of: Person.self) },
      { try await magic.update(contentsOf: [Person(name: "new")]) },
    ] as [@Sendable () async throws -> Void] {
      let error = await #expect(throws: MagicError.self) { try await verb() }
      #expect(error?.code == .readOnly)
    }
    await magic.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func aReadOnlyDatabaseMustExist() async throws {
    let error = await #expect(throws: MagicError.self) {
      _ = try await MagicData(
        path: scratch.file("none/test.db"), options: MagicOptions(readOnly: true))
    }
    #expect(error?.code == .cannotOpen)
    #expect(scratch.names == [])
  }

  @Test func aMissingFileIsNotCreatedIfItMustExist() async throws {
    let options = MagicOptions(mustExist: true)
    for name in ["test.db", "none/test.db"] {
      let error = await #expect(throws: MagicError.self) {
        _ = try await MagicData(path: scratch.file(name), options: options)
      }
      #expect(error?.code == .cannotOpen)
      #expect(error?.message.contains("does not exist") == true)
    }
    // A directory without the default file.
    let error = await #expect(throws: MagicError.self) {
      _ = try await MagicData(path: scratch.path, options: options)
    }
    #expect(error?.code == .cannotOpen)
    #expect(scratch.names == [])
  }

  @Test func anExistingFileThatMustExistIsWritten() async throws {
    let magic = try await MagicData(path: filled(), options: MagicOptions(mustExist: true))
    try await magic.update(Person(id: "new", name: "new"))
    #expect(try await magic.object(of: Person.self).count == 51)
    await magic.close()
  }

  @Test func aNewDatabaseCannotBeOneThatMustExist() async throws {
    for kind in [MagicData.Kind.temporary, .memory] {
      let error = await #expect(throws: MagicError.self) {
        _ = try await MagicData(type: kind, options: MagicOptions(mustExist: true))
      }
      #expect(error?.code == .invalidOption)
    }
  }

  @Test func onlyATemporaryDatabaseMayHaveNoDurability() async throws {
    let options = MagicOptions(durability: .off)
    let magic = try await MagicData(type: .temporary, options: options)
    try await magic.update(Note("a"))
    let path = scratch.file()
    for open in [
      { _ = try await MagicData(path: path, options: options) },
      { _ = try await MagicData(type: .memory, options: options) },
    ] as [@Sendable () async throws -> Void] {
      let error = await #expect(throws: MagicError.self) { try await open() }
      #expect(error?.code == .invalidOption)
    }
    #expect(scratch.names == [])
  }

  @Test(arguments: [
    MagicOptions(readers: 0), MagicOptions(readers: -1), MagicOptions(busyTimeout: -0.5),
    MagicOptions(busyTimeout: .nan), MagicOptions(busyTimeout: .infinity),
  ])
  func invalidOptionsAreRefused(options: MagicOptions) async throws {
    let error = await #expect(throws: MagicError.self) {
      _ = try await MagicData(path: scratch.file(), options: options)
    }
    #expect(error?.code == .invalidOption)
    #expect(scratch.names == [])
  }

  @Test func aNewDatabaseIsNotReadOnly() async throws {
    for type in [MagicData.Kind.temporary, .memory] {
      let error = await #expect(throws: MagicError.self) {
        _ = try await MagicData(type: type, options: MagicOptions(readOnly: true))
      }
      #expect(error?.code == .invalidOption)
    }
  }

  @Test func manyReadsShareOneReader() async throws {
    let magic = try await MagicData(path: try await filled(), options: MagicOptions(readers: 1))
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await magic.object(of: Person.self).count } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 50, count: 50))
  }

  @Test func theNumberOfReadersIsTheMaximum() async throws {
    let path = try await filled()
    let magic = try await MagicData(path: path, options: MagicOptions(readers: 2))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 { group.addTask { _ = try await magic.object(of: Person.self).count } }
      try await group.waitForAll()
    }
    #expect((2...3).contains(openFiles(under: path).filter { $0 == path }.count))
    withExtendedLifetime(magic) {}
  }

  @Test func durabilityIsSetOnTheWritingConnection() async throws {
    for (durability, expected) in [
      (MagicOptions.Durability.full, "FULL"), (.normal, "NORMAL"), (.off, "OFF"),
    ] {
      let recorder = Recorder<String>()
      let magic = try await MagicData(
        type: .temporary,
        options: MagicOptions(durability: durability, logger: recorder.logger()))
      let settings = recorder.all.filter { $0.contains("PRAGMA synchronous") }
      #expect(settings.last?.contains("synchronous = \(expected)") == true)
      await magic.close()
    }
    #expect(MagicOptions().durability == .full)
  }

  @Test func theLogShowsSQLWithoutItsValues() async throws {
    let recorder = Recorder<String>()
    let magic = try await MagicData(
      path: scratch.file(), options: MagicOptions(logger: recorder.logger()))
    let ada = Person(id: "secret-id", name: "secret-name")
    try await magic.update(ada)
    ada.petName = "secret-pet"
    try await magic.update(ada)
    _ = try await magic.object(of: Person.self, primary: "secret-id")
    try await magic.remove(ada)
    #expect(recorder.contains("INSERT INTO \"Person\""))
    #expect(recorder.contains("UPDATE \"Person\""))
    #expect(recorder.contains("DELETE FROM \"Person\""))
    #expect(recorder.contains("SELECT"))
    #expect(!recorder.contains("secret"))
  }

  @Test func theLogShowsValuesIfTheOptionIsSet() async throws {
    let recorder = Recorder<String>()
    let magic = try await MagicData(
      path: scratch.file(),
      options: MagicOptions(logger: recorder.logger(), logsValues: true))
    try await magic.update(Person(id: "secret-id", name: "secret-name"))
    #expect(recorder.contains("'secret-name'"))
    #expect(try await magic.has(of: Person.self, primary: "secret-id"))
    #expect(recorder.contains("'secret-id'"))
  }

  @Test func sqlIsLoggedOnlyAtTheDebugLevel() async throws {
    let recorder = Recorder<String>()
    var logger = recorder.logger()
    logger.logLevel = .info
    let magic = try await MagicData(path: scratch.file(), options: MagicOptions(logger: logger))
    try await magic.update(Note("a"))
    #expect(recorder.all == [])
  }
}
