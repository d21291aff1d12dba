import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// Automatic migration of changed types, by the first call of a task or a query.
@Suite(.timeLimit(.minutes(5))) struct AutomaticMigrationTests {
  let scratch = Scratch()

  struct Stopped: Error {}

  struct Part: MagicObject {
    @MagicValue var name: String
    init() {}
    init(_ name: String) { self.name = name }
  }

  enum Old {
    struct Tool: MagicObject {
      @PrimaryMagicValue var number: Int
      @MagicValue var name: String
      @OptionMagicValue var weight: Int?
      @OptionMagicValue var part: Part?
      @MagicValue var parts: [Part] = []
      init() {}
      init(_ name: String) { self.name = name }
    }
  }

  enum New {
    struct Tool: MagicObject {
      @PrimaryMagicValue var number: Int
      @MagicValue(.indexed, .wasNamed("name")) var title: String
      @MagicValue var weight = 1.5
      @MagicValue(.wasNamed("part")) var spares: MagicalSet<Part> = []
      @MagicValue var parts: [Part] = []
      @MagicValue var extra = "e"
    }
  }

  /// The tools a, b and c; each has its own part, and two in its list.
  private func makeOld() async throws {
    let magic = try await MagicData(path: scratch.file())
    for name in ["a", "b", "c"] {
      let tool = Old.Tool(name)
      tool.part = Part(name + "0")
      tool.parts = [Part(name + "1"), Part(name + "2")]
      if name == "b" { tool.weight = 2 }
      try await magic.update(tool)
    }
    await magic.close()
  }

  private func using(_ body: (MagicData) async throws -> Void) async throws {
    let magic = try await MagicData(path: scratch.file())
    try await body(magic)
    let report = try await magic.verify()
    #expect(report.findings.isEmpty, "\(report)")
    await magic.close()
  }

  @Test func twentyTasksThatUseATypeFirstMigrateItOnce() async throws {
    try await makeOld()
    try await using { magic async throws in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 0..<20 {
          group.addTask {
            switch index % 4 {
            case 0: return try await magic.object(of: New.Tool.self).count
            case 1:
              return try await magic.query(New.Tool.self).where(\.$weight < 3).count()
            case 2:
              let tool = New.Tool()
              tool.title = "new \(index)"
              try await magic.update(tool)
              return 3
            default:
              return try await magic.transaction { transaction in
                try transaction.object(of: New.Tool.self).count
              }
            }
          }
        }
        for try await count in group { #expect((3...8).contains(count)) }
      }
      let tools = try await magic.object(of: New.Tool.self)
      #expect(tools.count == 8)
      #expect(Set(tools.map(\.number)) == Set(1...8))
    }
  }

  @Test func aRefusedMigrationDoesNotAffectOtherWritesOfItsCommit() async throws {
    enum Refused {
      struct Tool: MagicObject {
        @PrimaryMagicValue var number: Int
        @MagicValue var must: String
      }
    }
    try await makeOld()
    try await using { magic async throws in
      let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<20 {
          group.addTask {
            if index % 2 == 0 {
              try await magic.update(Part("part \(index)"))
              return false
            }
            do {
              let tool = Refused.Tool()
              tool.must = "x"
              try await magic.update(tool)
              return false
            } catch let error as MagicError {
              return error.code == .needsMigration
            }
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(refused == 10)
      #expect(try await magic.query(Part.self).where { $0.$name.hasPrefix("part") }.count() == 10)
      #expect(try await magic.object(of: Old.Tool.self).map(\.name) == ["a", "b", "c"])
    }
  }

  @Test func queriesFindMigratedRows() async throws {
    try await makeOld()
    try await using { magic async throws in
      let heavy = try await magic.query(New.Tool.self).where(\.$weight == 2).all()
      #expect(heavy.map(\.title) == ["b"])
      #expect(try await magic.query(New.Tool.self).where(\.$title >= "b").count() == 2)
      let owners = try await magic.query(New.Tool.self)
        .where { $0.$spares.contains { $0.$name == "c0" } }.all()
      #expect(owners.map(\.title) == ["c"])
      #expect(try await magic.query(New.Tool.self).sum(\.$weight) == 5)
      try await magic.query(New.Tool.self).where(\.$extra == "e").update(set: \.$weight += 1)
      #expect(try await magic.object(of: New.Tool.self, primary: 1).weight == 2.5)
      let plan = try await magic.query(New.Tool.self).where(\.$title == "b").explain()
      #expect("\(plan)".contains("INDEX"))
      try await magic.query(New.Tool.self).where(\.$title == "a").delete()
      #expect(try await magic.query(Part.self).count() == 9)
    }
  }

  @Test func rawSQLMigratesTheTypesItNames() async throws {
    try await makeOld()
    try await using { magic async throws in
      let titles = try await magic.sql(
        "SELECT \(column: \New.Tool.$title) FROM \(table: New.Tool.self) ORDER BY 1"
      ).rows(String.self)
      #expect(titles == ["a", "b", "c"])
    }
  }

  @Test func theNewTypeQueriesAnOldTableOfAReadOnlyFile() async throws {
    enum Later {
      struct Tool: MagicObject {
        @PrimaryMagicValue var number: Int
        @MagicValue(.wasNamed("name")) var title: String
        @MagicValue var weight = 7
        @MagicValue var extra = "e"
        @MagicValue var parts: [Part] = []
        @MagicValue var more: [Part] = []
      }
    }
    try await makeOld()
    let options = MagicOptions(readOnly: true)
    let magic = try await MagicData(path: scratch.file(), options: options)
    #expect(try await magic.object(of: Later.Tool.self).map(\.weight) == [7, 2, 7])
    #expect(
      try await magic.query(Later.Tool.self).where(\.$title == "b").all().map(\.number) == [2])
    #expect(try await magic.query(Later.Tool.self).where(\.$extra == "e").count() == 3)
    #expect(try await magic.query(Later.Tool.self).where(\.$weight == 7).count() == 2)
    #expect(
      try await magic.query(Later.Tool.self).where { $0.$parts.contains { $0.$name == "a1" } }
        .count() == 1)
    #expect(try await magic.query(Later.Tool.self).where { $0.$more.count > 0 }.count() == 0)
    await magic.close()
  }

  // MARK: Interrupted

  @Test func aRolledBackTransactionKeepsTheOldSchema() async throws {
    try await makeOld()
    try await using { magic async throws in
      await #expect(throws: Stopped.self) {
        try await magic.transaction { transaction in
          _ = try transaction.object(of: New.Tool.self)
          throw Stopped()
        }
      }
      #expect(
        try scratch.raw().columns(of: "Tool")
          == ["z_index", "number", "name", "weight", "part"])
      #expect(try await magic.object(of: New.Tool.self).map(\.title) == ["a", "b", "c"])
    }
  }

  @Test func aCancelledMigrationKeepsTheOldSchema() async throws {
    try await makeOld()
    try await using { magic async throws in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await magic.migrate(New.Tool.self)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(
        try scratch.raw().columns(of: "Tool")
          == ["z_index", "number", "name", "weight", "part"])
      #expect(try await magic.object(of: New.Tool.self).count == 3)
    }
  }

  // MARK: Lazy

  enum LazyLinks {
    struct Tool: MagicObject {
      @PrimaryMagicValue var number: Int
      @OptionMagicValue var name: String?
      @MagicValue var weight = 3
      @MagicValue(.wasNamed("part")) var spares: AsyncMagical<[Part]> = .init(value: [])
      @MagicValue var parts: AsyncMagical<MagicalSet<Part>> = .init(value: [])
      @MagicValue var more: AsyncMagical<[String: Part]> = .init(value: [:])
    }
  }

  enum LazyToOne {
    struct Tool: MagicObject {
      @PrimaryMagicValue var number: Int
      @MagicValue var name: String
      @MagicValue var weight = 3
      @OptionMagicValue(.wasNamed("spares")) var part: AsyncMagical<Part>?
      @MagicValue var parts: AsyncMagical<[Part]> = .init(value: [])
    }
  }

  @Test func relationshipsBecomeLazyAndChangeTheirKind() async throws {
    try await makeOld()
    try await using { magic async throws in
      let tools = try await magic.object(of: LazyLinks.Tool.self)
      #expect(tools.map(\.name) == ["a", "b", "c"])
      #expect(tools.map(\.weight) == [3, 2, 3])
      for tool in tools {
        let name = try #require(tool.name)
        #expect(try await tool.spares.get().map(\.name) == [name + "0"])
        #expect(try await tool.parts.get().map(\.name).sorted() == [name + "1", name + "2"])
        #expect(try await tool.more.count == 0)
        tool.spares.set(try await tool.spares.get() + [Part("added")])
        try await magic.update(tool)
        #expect(try await tool.spares.count == 2)
      }
      #expect(try await magic.query(Part.self).count() == 12)
    }
  }

  @Test func lazyListsAreConvertedToALazyObjectAndAList() async throws {
    try await makeOld()
    try await using { magic async throws in
      _ = try await magic.object(of: LazyLinks.Tool.self)
    }
    try await using { magic async throws in
      let tools = try await magic.object(of: LazyToOne.Tool.self)
      #expect(tools.map(\.name) == ["a", "b", "c"])
      for tool in tools {
        #expect(try await tool.part?.get().name == tool.name + "0")
        #expect(try await tool.parts.get().map(\.name) == [tool.name + "1", tool.name + "2"])
      }
    }
  }

  // MARK: Classes

  final class Machine: MagicObject, @unchecked Sendable {
    @PrimaryMagicValue var number: Int
    @MagicValue var name: String
    @OptionMagicValue var size: Int?
    init() {}
  }

  enum Later {
    final class Machine: MagicObject, @unchecked Sendable {
      @PrimaryMagicValue var number: Int
      @OptionMagicValue(.wasNamed("name")) var title: String?
      @MagicValue var size = 4.5
      @MagicValue var parts: [Part] = []
      @OptionMagicValue var next: Machine?
      init() {}
    }
  }

  @Test func classesAreMigratedLikeStructs() async throws {
    try await using { magic async throws in
      for (name, size) in [("a", 1), ("b", nil)] {
        let machine = Machine()
        (machine.name, machine.size) = (name, size)
        try await magic.update(machine)
      }
    }
    try await using { magic async throws in
      let machines = try await magic.object(of: Later.Machine.self)
      #expect(machines.map(\.title) == ["a", "b"])
      #expect(machines.map(\.size) == [1, 4.5])
      machines[0].next = machines[1]
      machines[0].parts = [Part("p")]
      try await magic.update(machines[0])
      #expect(try await magic.object(of: Later.Machine.self)[0].next?.title == "b")
    }
  }
}
