import EngineConformance
import Foundation
import MagicQuery
import MagicRelations
import MagicStatements
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

private struct Page: MagicObject {
  @MagicValue var text = ""

  init() {}

  init(_ text: String) { self.text = text }
}

private struct Binder: MagicObject {
  @MagicValue var name = ""
  @MagicValue(.owned) var pages: [Page] = []
  @MagicValue(.owned, .onDelete(.cascade)) var drafts: [Page] = []
  @MagicValue(.owned) var binders: [Binder] = []

  init() {}

  init(_ name: String, _ pages: [String] = []) {
    self.name = name
    self.pages = pages.map { Page($0) }
  }
}

/// Owned lists in shared databases.
@Suite struct OwnedSharingTests {
  let scratch = Scratch()

  private func texts(_ store: MagicObjectStore) throws -> [String] {
    #expect(try store.verify().findings == [])
    return try #require(try store.object(of: Binder.self).first).pages.map(\.text)
  }

  @Test func ownersMoveWithTheirRows() throws {
    try scratch.using("first") { store throws in
      let binder = Binder("a", ["1", "2"])
      binder.drafts = [Page("3"), binder.pages[0]]
      binder.binders = [Binder("b", ["4"])]
      try store.update(binder)
      try store.update(Page("free"))
      try store.prepareForSharing()
      let after = try #require(try store.object(of: Binder.self).first)
      #expect(try texts(store) == ["1", "2"])
      #expect(after.drafts.map(\.text) == ["3", "1"])
      #expect(after.binders.map { $0.pages.map(\.text) } == [["4"]])
      after.pages.insert(Page("5"), at: 1)
      try store.update(after)
      #expect(try texts(store) == ["1", "5", "2"])
      // New positions have the low bits of the store's number.
      let tags = try store.sql(
        """
        SELECT DISTINCT position & 65535 FROM \(links: \Binder.$pages)
        WHERE position & 65535 <> 0
        """
      ).rows(Int.self)
      let numbers = try store.sql("SELECT store_number & 65535 FROM magic_format").rows(Int.self)
      #expect(tags == numbers)
      try store.remove(after)
      #expect(try store.query(Page.self).count() == 4)
    }
  }

  @Test(.enabled(if: Changesets() != nil, "SQLite was built without the session extension."))
  func membersThatTwoDevicesInsertAtOnePlaceBothStay() throws {
    try scratch.using("first") { store throws in
      try store.update(Binder("a", ["first of all", "last of all"]))
      try store.prepareForSharing()
    }
    try scratch.copy("first", to: "base")
    try scratch.copy("first", to: "second")
    try scratch.using("second") { try $0.prepareForSharing(asCopy: true) }
    for device in ["first", "second"] {
      try scratch.using(device) { store throws in
        let binder = try #require(try store.object(of: Binder.self).first)
        binder.pages.insert(Page("\(device), in the middle"), at: 1)
        binder.pages.insert(Page("\(device), at the front"), at: 0)
        binder.pages += (0..<20).map { Page("\($0), at the end") }
        try store.update(binder)
      }
    }
    let changesets = try #require(Changesets())
    let changes = try ["first", "second"].map {
      try changesets.changes(
        from: scratch.file("base"), to: scratch.file($0), tables: ["Page", "Binder"])
    }
    #expect(try changesets.apply(changes[0], to: scratch.file("second")) == 0)
    #expect(try changesets.apply(changes[1], to: scratch.file("first")) == 0)
    var lists: [[String]] = []
    for device in ["first", "second"] { try scratch.using(device) { lists.append(try texts($0)) } }
    #expect(lists[0] == lists[1])
    #expect(lists[0].count == 46)
    #expect(lists[0].prefix(2).allSatisfy { $0.hasSuffix("at the front") })
    #expect(lists[0].suffix(40).allSatisfy { $0.hasSuffix("at the end") })
  }
}
