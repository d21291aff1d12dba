import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Two types that claim one table are refused when the second is first used.
@Suite struct TableConflictTests {
  let scratch = Scratch()

  private func expectConflict<First: MagicObject, Second: MagicObject>(
    _ first: First, _ second: Second, at location: SourceLocation = #_sourceLocation
  ) throws {
    for readsFirst in [false, true] {
      try scratch.using { store throws in
        if readsFirst {
          #expect(try store.object(of: First.self).count == 1, sourceLocation: location)
        } else {
          try store.update(first)
        }
        let definitions = try scratch.raw().texts("SELECT sql FROM sqlite_master")
        for call in [{ _ = try store.update(second) }, { _ = try store.object(of: Second.self) }] {
          let error = #expect(throws: MagicError.self, sourceLocation: location) { try call() }
          #expect(error?.code == .tableConflict, sourceLocation: location)
          #expect(error?.message.contains("tableName") == true, sourceLocation: location)
        }
        #expect(
          try scratch.raw().texts("SELECT sql FROM sqlite_master") == definitions,
          sourceLocation: location)
        #expect(try store.object(of: First.self).count == 1, sourceLocation: location)
      }
    }
  }

  @Test func twoTypesOfOneNameConflict() throws {
    let (first, second) = (Here.Thing(), There.Thing())
    first.name = "a"
    second.size = 1
    try expectConflict(first, second)
  }

  @Test func namesThatDifferOnlyInCaseConflict() throws {
    let (first, second) = (Here.Thing(), Lower.thing())
    first.name = "a"
    second.name = "b"
    try expectConflict(first, second)
  }

  @Test func aReadClaimsTheTableToo() throws {
    try scratch.using { store throws in
      #expect(try store.object(of: Here.Thing.self).isEmpty)
      let second = There.Thing()
      second.size = 1
      let error = #expect(throws: MagicError.self) { try store.update(second) }
      #expect(error?.code == .tableConflict)
    }
    #expect(try scratch.raw().integer("SELECT count(*) FROM sqlite_master") == 0)
  }

  @Test func aNameThatDiffersOnlyInCaseFromATableInTheFileLosesNothing() throws {
    try scratch.using { store throws in
      let things = ["a", "b"].map { name in
        let thing = Here.Thing()
        thing.name = name
        return thing
      }
      try store.update(contentsOf: things)
      try store.remove(things[1])
    }
    try scratch.using { store throws in
      let thing = Lower.thing()
      thing.name = "c"
      do {
        // If it is treated as the same table, then with its indexes and triggers.
        #expect(try store.update(thing).rawValue == 3)
      } catch let error as MagicError {
        #expect([.tableConflict, .needsMigration].contains(error.code))
      }
    }
    #expect(try scratch.raw().texts("SELECT name FROM Thing")[0] == "a")
  }

  @Test func twoTypesWithTheSameSchemaShareATable() throws {
    try scratch.using { store throws in
      let (first, second) = (Here.Thing(), Elsewhere.Thing())
      first.name = "a"
      second.name = "b"
      try store.update(first)
      try store.update(second)
      #expect(try store.object(of: Here.Thing.self).map(\.name) == ["a", "b"])
    }
  }
}

private enum Here {
  struct Thing: MagicObject {
    static var tableName: String { "Thing" }
    @MagicValue var name: String
  }
}

private enum Elsewhere {
  struct Thing: MagicObject {
    static var tableName: String { "Thing" }
    @MagicValue var name: String
  }
}

private enum There {
  struct Thing: MagicObject {
    static var tableName: String { "Thing" }
    @MagicValue var size: Int
  }
}

private enum Lower {
  // swift-format-ignore: TypeNamesShouldBeCapitalized
  struct thing: MagicObject {
    static var tableName: String { "thing" }
    @MagicValue var name: String
  }
}
