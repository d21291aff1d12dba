import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// References and join rows that SQL of another program has broken.
@Suite struct BrokenLinkTests {
  let scratch = Scratch()

  struct Sub: MagicObject {
    @MagicValue var name: String

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Owner: MagicObject {
    @MagicValue var title: String = "t"
    @OptionMagicValue(.named("sub_row")) var sub: Sub?
    @MagicValue var list: [Sub] = []
    @MagicValue var set: MagicalSet<Sub> = []
    @MagicValue var texts: [String: Sub] = [:]
    @MagicValue var numbers: [Int: Sub] = [:]
    @MagicValue var dates: [Date: Sub] = [:]
    @MagicValue var ids: [UUID: Sub] = [:]
  }

  struct Node: MagicObject {
    @OptionMagicValue var next: Node?
    @MagicValue var nodes: [Node] = []
  }

  /// Saves two owners with every relationship, breaks the file with SQL and reads it.
  private func expect(
    _ code: MagicError.Code, _ property: String?, after sql: String, row: Int? = 2,
    type: String? = "Owner", at location: SourceLocation = #_sourceLocation
  ) throws {
    try scratch.using { store throws in
      for index in 1...2 {
        let owner = Owner()
        let subs = (0..<2).map { Sub("\(index) \($0)") }
        (owner.sub, owner.list, owner.set) = (subs[0], subs, MagicalSet(subs))
        (owner.texts, owner.numbers) = (["k": subs[0]], [1: subs[0]])
        (owner.dates, owner.ids) = ([Date(): subs[0]], [UUID(): subs[0]])
        try store.update(owner)
      }
    }
    let connection = try scratch.raw()
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.execute(sql)
    connection.close()
    for readOnly in [false, true] {
      try scratch.using(MagicOptions(readOnly: readOnly)) { store throws in
        for _ in 0..<2 {
          let error = #expect(throws: MagicError.self, sourceLocation: location) {
            _ = try store.object(of: Owner.self)
          }
          #expect(error?.code == code, "\(sql)", sourceLocation: location)
          #expect(error?.type == type, "\(sql)", sourceLocation: location)
          #expect(error?.property == property, "\(sql)", sourceLocation: location)
          if let row {
            #expect(
              error?.message.lowercased().contains("row \(row)") == true, "\(error?.message ?? "")",
              sourceLocation: location)
          }
        }
        // The unaffected objects are fetched.
        if code != .database {
          #expect(
            try store.first(of: Sub.self) { $0.name == "1 0" } != nil, sourceLocation: location)
        }
      }
    }
  }

  @Test func aToOneToAMissingRow() throws {
    try expect(
      .brokenReference, "sub", after: "UPDATE Owner SET sub_row = 99 WHERE z_index = 2")
  }

  @Test func joinRowsToMissingRows() throws {
    for (table, property) in [
      ("list", "list"), ("set", "set"), ("texts", "texts"), ("numbers", "numbers"),
    ] {
      let scratch = BrokenLinkTests()
      try scratch.expect(
        .brokenReference, property,
        after: "UPDATE \"magic_Owner.\(table)\" SET target = 99 WHERE owner = 2 AND target = 3")
    }
  }

  @Test func deletedRows() throws {
    try expect(.brokenReference, "sub", after: "DELETE FROM Sub WHERE z_index = 3")
  }

  @Test func aToOneWithAText() throws {
    try expect(
      .cannotDecode, "sub", after: "UPDATE Owner SET sub_row = 'text' WHERE z_index = 2")
  }

  @Test func aToOneWithARealOrABlob() throws {
    try expect(.cannotDecode, "sub", after: "UPDATE Owner SET sub_row = 1.5 WHERE z_index = 2")
    try BrokenLinkTests().expect(
      .cannotDecode, "sub", after: "UPDATE Owner SET sub_row = x'00' WHERE z_index = 2")
  }

  @Test func aJoinRowWhoseTargetIsAText() throws {
    try scratch.using { store throws in
      let owner = Owner()
      owner.list = [Sub("a")]
      try store.update(owner)
    }
    let connection = try scratch.raw()
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.execute("UPDATE \"magic_Owner.list\" SET target = 'text'")
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Owner.self) }
      #expect([.brokenReference, .cannotDecode].contains(error?.code))
      #expect(error?.property == "list")
    }
  }

  @Test func aJoinRowWhosePositionIsAText() throws {
    try scratch.using { store throws in
      let owner = Owner()
      owner.list = [Sub("a"), Sub("b")]
      try store.update(owner)
    }
    let connection = try scratch.raw()
    try connection.execute(
      "UPDATE \"magic_Owner.list\" SET position = 'text' WHERE target = 2")
    try scratch.using { store throws in
      // A position only defines the order.
      let owner = try store.object(of: Owner.self)[0]
      #expect(owner.list.map(\.name) == ["a", "b"])
      owner.list.append(Sub("c"))
      do {
        try store.update(owner)
        #expect(try store.object(of: Owner.self)[0].list.count == 3)
      } catch is MagicError {}
    }
  }

  @Test func keysThatAreNotOfTheKeyType() throws {
    for (table, key) in [
      ("texts", "x'FF'"), ("numbers", "'text'"), ("numbers", "1.5"), ("dates", "'text'"),
      ("ids", "'no UUID'"), ("texts", "CAST(x'FF' AS TEXT)"),
    ] {
      try BrokenLinkTests().expect(
        .cannotDecode, table,
        after: "UPDATE \"magic_Owner.\(table)\" SET key = \(key) WHERE owner = 2")
    }
  }

  @Test func aDroppedJoinTable() throws {
    try expect(
      .database, nil, after: "DROP TABLE \"magic_Owner.texts\"", row: nil, type: nil)
  }

  @Test func aDroppedTargetTable() throws {
    try expect(.database, nil, after: "DROP TABLE Sub", row: nil, type: nil)
  }

  @Test func tablesDroppedWhileTheStoreIsOpen() throws {
    for table in ["Sub", "magic_Owner.list"] {
      let scratch = Scratch()
      try scratch.using { store throws in
        let owner = Owner()
        owner.list = [Sub("a")]
        try store.update(owner)
        _ = try store.object(of: Owner.self)
        let connection = try scratch.raw()
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.execute("DROP TABLE \"\(table)\"")
        owner.list.append(Sub("b"))
        #expect(throws: MagicError.self) { try store.object(of: Owner.self) }
        #expect(throws: MagicError.self) { try store.update(owner) }
        // Without its join rows the owner can be removed; the error names the table.
        do { try store.remove(owner) } catch is MagicError {}
      }
    }
  }

  @Test func brokenChainsOfOneType() throws {
    try scratch.using { store throws in
      let nodes = (0..<10).map { _ in Node() }
      for index in nodes.indices.dropLast() { nodes[index].next = nodes[index + 1] }
      for index in nodes.indices { nodes[index].nodes = [nodes[(index + 1) % 10]] }
      try store.update(contentsOf: nodes)
      for node in nodes { (node.next, node.nodes) = (nil, []) }
    }
    let connection = try scratch.raw()
    try connection.execute("PRAGMA foreign_keys = OFF")
    let end = try connection.integer("SELECT z_index FROM Node WHERE next IS NULL") ?? 0
    try connection.execute("UPDATE Node SET next = 99 WHERE z_index = \(end)")
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Node.self) }
      #expect(error?.code == .brokenReference)
      #expect(error?.property == "next")
      #expect(error?.message.contains("Row \(end) ") == true)
    }
    try connection.execute("UPDATE Node SET next = NULL WHERE z_index = \(end)")
    try connection.execute("UPDATE \"magic_Node.nodes\" SET target = 99 WHERE owner = \(end)")
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Node.self) }
      #expect(error?.code == .brokenReference)
      #expect(error?.property == "nodes")
      #expect(error?.message.contains("Row \(end) ") == true)
    }
  }

  @Test func joinRowsOfDeletedOwnersAreNotRead() throws {
    try scratch.using { store throws in
      let owners = (0..<3).map { _ in Owner() }
      for owner in owners { owner.list = [Sub("a")] }
      try store.update(contentsOf: owners)
    }
    let connection = try scratch.raw()
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.execute("DELETE FROM Owner WHERE z_index = 2")
    try scratch.using { store throws in
      #expect(try store.object(of: Owner.self).map(\.list.count) == [1, 1])
    }
  }

  @Test func aRowWithABrokenReferenceCanBeCorrected() throws {
    try scratch.using { store throws in
      let owner = Owner()
      owner.sub = Sub("a")
      try store.update(owner)
      let connection = try scratch.raw()
      try connection.execute("PRAGMA foreign_keys = OFF")
      try connection.execute("UPDATE Owner SET sub_row = 99")
      #expect(throws: MagicError.self) { try store.object(of: Owner.self) }
      owner.sub = Sub("b")
      try store.update(owner)
      #expect(try store.object(of: Owner.self)[0].sub?.name == "b")
    }
  }
}
