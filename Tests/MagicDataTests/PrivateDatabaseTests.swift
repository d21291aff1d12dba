import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Temporary databases and databases in memory. Each test has its own process, and so its own
/// temporary directory.
@Suite(.everyEngine) struct PrivateDatabaseTests {
  let scratch = Scratch()

  @Test(.requires(.files)) func closeRemovesTheDirectoryOfATemporaryDatabase()
    async throws
  {
    await #expect(processExitsWith: .success) { [place = scratch.path as String] in
      setenv("TMPDIR", place, 1)
      let manager = FileManager.default
      try Data("keep".utf8).write(to: URL(fileURLWithPath: place + "/mine"))
      let first = try await MagicData.onTestedEngine(type: .temporary)
      let second = try await MagicData.onTestedEngine(type: .temporary)
      try await first.update(Note("a"))
      #expect(try await second.object(of: Note.self).isEmpty)

      let directories = try manager.contentsOfDirectory(atPath: place).filter { $0 != "mine" }
      #expect(directories.count == 2)
      for directory in directories {
        let attributes = try manager.attributesOfItem(atPath: place + "/" + directory)
        #expect(attributes[.posixPermissions] as? NSNumber == 0o700)
      }
      await first.close()
      #expect(try manager.contentsOfDirectory(atPath: place).count == 2)
      await second.close()
      #expect(try manager.contentsOfDirectory(atPath: place) == ["mine"])
      #expect(manager.contents(atPath: place + "/mine") == Data("keep".utf8))
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test(.requires(.files)) func aReleasedTemporaryDatabaseIsRemoved() async throws {
    await #expect(processExitsWith: .success) { [place = scratch.path as String] in
      setenv("TMPDIR", place, 1)
      var magic: MagicData? = try await MagicData.onTestedEngine(type: .temporary)
      try await magic?.update(contentsOf: (0..<10).map { Note("\($0)") })
      let notes = try await magic?.object(of: Note.self)
      #expect(try FileManager.default.contentsOfDirectory(atPath: place).count == 1)
      magic = nil
      #expect(
        await eventually {
          (try? FileManager.default.contentsOfDirectory(atPath: place)) == []
        })
      // Fetched objects remain readable.
      #expect(notes?.map(\.text) == (0..<10).map { "\($0)" })
    }
  }

  @Test(.requires(.files)) func aDatabaseInMemoryLeavesNothingOnTheDisk() async throws {
    await #expect(processExitsWith: .success) { [place = scratch.path as String] in
      setenv("TMPDIR", place, 1)
      let before = openFiles(under: "/").filter { !$0.hasPrefix("/dev") && !$0.hasPrefix("/proc") }
      let magic = try await MagicData.onTestedEngine(type: .memory)
      try await magic.update(contentsOf: (0..<1_000).map { Note("\($0)") })
      #expect(try await magic.object(of: Note.self).count == 1_000)
      #expect(try FileManager.default.contentsOfDirectory(atPath: place) == [])
      let after = openFiles(under: "/").filter { !$0.hasPrefix("/dev") && !$0.hasPrefix("/proc") }
      #expect(Set(after) == Set(before))
    }
  }

  @Test func databasesInMemoryAreIndependent() async throws {
    let first = try await MagicData.onTestedEngine(type: .memory)
    let second = try await MagicData.onTestedEngine(type: .memory)
    try await first.update(Note("a"))
    #expect(try await second.object(of: Note.self).isEmpty)
    #expect(try await first.object(of: Note.self).count == 1)
  }

  @Test func aDatabaseInMemorySupportsEveryVerb() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let ada = Person(id: "ada", name: "Ada")
    try await magic.update(ada)
    #expect(try await magic.has(of: Person.self, primary: "ada"))
    #expect(try await magic.object(of: Person.self, primary: "ada").name == "Ada")
    #expect(try await magic.object(of: Person.self).where { $0.name == "Ada" }.id == "ada")
    try await magic.remove(ada)
    #expect(try await magic.object(of: Person.self).isEmpty)
    await magic.close()
    let error = await #expect(throws: MagicError.self) {
      try await magic.object(of: Person.self) as [Person]
    }
    #expect(error?.code == .closed)
  }
}
