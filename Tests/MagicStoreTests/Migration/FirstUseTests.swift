import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// The time at which the table of a type is migrated, and its state if the call fails.
@Suite struct FirstUseTests {
  let scratch = Scratch()

  private struct Stopped: Error {}

  private func makeOld() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b"].map { Old.Item(name: $0) })
    }
  }

  private func looser(_ name: String) -> Looser.Item {
    let item = Looser.Item()
    item.name = name
    return item
  }

  @Test func everyVerbMigrates() throws {
    let verbs: [(MagicObjectStore) throws -> Void] = [
      { _ = try $0.object(of: Looser.Item.self) },
      { _ = try $0.update(self.looser("c")) },
      { _ = try $0.update(contentsOf: [self.looser("c")]) },
      { _ = try $0.removeAll(of: Looser.Item.self) },
      { _ = try $0.read { try $0.object(of: Looser.Item.self) } },
      { try $0.transaction { _ = try $0.object(of: Looser.Item.self) } },
      { try $0.transaction { _ = try $0.update(self.looser("c")) } },
      { _ = try $0.migrate(Looser.Item.self) },
    ]
    for (index, verb) in verbs.enumerated() {
      let scratch = Scratch()
      try scratch.using { store in try store.update(Old.Item(name: "a")) }
      try scratch.using { store throws in
        try verb(store)
        #expect(try store.object(of: Looser.Item.self).first?.name == (index == 3 ? nil : "a"))
      }
      try scratch.expectAsNew(Looser.Item.self)
    }
  }

  @Test func aRolledBackTransactionKeepsTheOldSchema() throws {
    try makeOld()
    let before = try scratch.raw().dump()
    try scratch.using { store throws in
      for _ in 0..<2 {
        #expect(throws: Stopped.self) {
          try store.transaction { transaction throws in
            #expect(try transaction.object(of: Looser.Item.self).count == 2)
            try transaction.update(looser("c"))
            throw Stopped()
          }
        }
        #expect(try scratch.raw().dump() == before)
      }
      // The next use works.
      #expect(try store.object(of: Looser.Item.self).map(\.name) == ["a", "b"])
    }
    try scratch.expectAsNew(Looser.Item.self)
  }

  @Test func theOldTypeWorksAfterATransactionThatWasRolledBack() throws {
    try makeOld()
    try scratch.using { store throws in
      #expect(throws: Stopped.self) {
        try store.transaction { transaction throws in
          try transaction.update(looser("c"))
          throw Stopped()
        }
      }
      try store.update(Old.Item(name: "d"))
      #expect(try store.object(of: Old.Item.self).map(\.name) == ["a", "b", "d"])
    }
    try scratch.expectAsNew(Old.Item.self)
  }

  @Test func aRolledBackSavepointKeepsTheOldSchema() throws {
    try makeOld()
    try scratch.using { store throws in
      try store.transaction { transaction throws in
        try transaction.update(Note("kept"))
        for _ in 0..<2 {
          do {
            try transaction.transaction { inner throws in
              try inner.transaction { innermost throws in
                #expect(try innermost.object(of: Looser.Item.self).count == 2)
              }
              try inner.update(looser("c"))
              throw Stopped()
            }
          } catch is Stopped {}
        }
        // In the same transaction it starts again.
        try transaction.update(looser("d"))
      }
      #expect(try store.object(of: Looser.Item.self).map(\.name) == ["a", "b", "d"])
      #expect(try store.object(of: Note.self).count == 1)
    }
    try scratch.expectAsNew(Looser.Item.self, Note.self)
  }

  @Test func aMigrationInATransactionSeesItsEarlierWrites() throws {
    try makeOld()
    try scratch.using { store throws in
      try store.transaction { transaction throws in
        let note = Note("n")
        try transaction.update(note)
        _ = try transaction.object(of: Looser.Item.self)
        note.text = "changed"
        try transaction.update(note)
        try transaction.remove(note)
        #expect(try transaction.object(of: Note.self).isEmpty)
      }
    }
    try scratch.expectAsNew(Looser.Item.self, Note.self)
  }

  @Test func foreignKeysAreEnforcedAfterARebuildInATransaction() throws {
    enum Bound {
      struct Owner: MagicObject {
        @MagicValue var leaf: Leaf
      }
    }
    enum Later {
      struct Leaf: MagicObject { @OptionMagicValue var number: Int? }
      struct Owner: MagicObject { @MagicValue var leaf: Leaf }
    }
    try scratch.using { store throws in
      let owner = Bound.Owner()
      owner.leaf = Leaf(1)
      try store.update(owner)
    }
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) {
        try store.transaction { transaction throws in
          try transaction.removeAll(of: Later.Leaf.self)
        }
      }
      #expect(error?.code == .stillReferenced)
      #expect(try store.object(of: Later.Owner.self).map(\.leaf.number) == [1])
      let second = #expect(throws: MagicError.self) { try store.removeAll(of: Later.Leaf.self) }
      #expect(second?.code == .stillReferenced)
    }
    try scratch.expectAsNew(Later.Owner.self, Later.Leaf.self)
  }

  @Test func aMigrationInADatabaseInMemoryIsSeenByItsReaders() throws {
    let store = try MagicObjectStore.open(.memory)
    defer { store.close() }
    try store.update(Old.Item(name: "a"))
    // Another type of the same table belongs to another program.
    let error = #expect(throws: MagicError.self) { try store.object(of: Looser.Item.self) }
    #expect(error?.code == .tableConflict)
  }

  /// Another process has migrated the table to a later version of the type.
  @Test func aColumnThatIsRenamedMeanwhileIsAnErrorNotACrash() throws {
    try makeOld()
    try scratch.using { store throws in
      let items = try store.object(of: Old.Item.self)
      #expect(items.count == 2)
      try scratch.raw().execute(
        """
        ALTER TABLE Item RENAME COLUMN name TO title;
        UPDATE magic_catalogue SET fingerprint = 'later' WHERE table_name = 'Item'
        """)
      items[0].name = "changed"
      #expect(throws: MagicError.self) { try store.object(of: Old.Item.self) }
      #expect(throws: MagicError.self) { try store.update(items[0]) }
      #expect(throws: MagicError.self) { try store.update(Old.Item(name: "c")) }
    }
    #expect(try scratch.raw().texts("SELECT title FROM Item") == ["a", "b"])
  }
}
