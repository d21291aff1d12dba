import EngineConformance
import MagicData
import Testing

/// Changes of collections are changes of their owners, and of no other object.
@Suite(.everyEngine) struct ExactLinkTests {
  /// A box with lists of three tags and items, a set and a dictionary of two.
  private func boxed() async throws -> (MagicData, ExactBox) {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let box = ExactBox("a")
    box.list = [ExactTag("a"), ExactTag("b"), ExactTag("c")]
    box.set = [box.list[0], box.list[1]]
    box.named = ["x": box.list[0], "y": box.list[1]]
    box.parts = [ExactItem(1), ExactItem(2)]
    try await magic.update(contentsOf: [box, ExactBox("b")])
    return (magic, box)
  }

  @Test func insertionMoveAndRemovalInAListAreReported() async throws {
    let (magic, box) = try await boxed()
    let texts = try await reported(ExactBox.self, in: magic) {
      box.list.insert(ExactTag("between"), at: 1)
      try await $0.update(box)
      box.list.swapAt(0, 3)
      try await $0.update(box)
      box.list.removeLast()
      try await $0.update(box)
      box.list = box.list
      try await $0.update(box)
    }
    #expect(texts == ["1:list", "1:list", "1:list"])
  }

  @Test func insertionAndRemovalInASetAreReported() async throws {
    let (magic, box) = try await boxed()
    let texts = try await reported(ExactBox.self, in: magic) {
      box.set.insert(box.list[2])
      try await $0.update(box)
      box.set.insert(box.list[2])
      try await $0.update(box)
      box.set.remove(box.list[0])
      try await $0.update(box)
    }
    #expect(texts == ["1:set", "1:set"])
  }

  @Test func keysAndMembersOfADictionaryAreReported() async throws {
    let (magic, box) = try await boxed()
    let texts = try await reported(ExactBox.self, in: magic) {
      box.named["z"] = box.named.removeValue(forKey: "x")
      try await $0.update(box)
      box.named["y"] = box.list[2]
      try await $0.update(box)
      box.named["y"] = box.list[2]
      box.title = "t"
      try await $0.update(box)
    }
    #expect(texts == ["1:named", "1:named", "1:title"])
  }

  @Test func aMemberThatIsRemovedChangesItsOwners() async throws {
    let (magic, box) = try await boxed()
    let texts = try await reported(ExactBox.self, in: magic) { try await $0.remove(box.list[0]) }
    #expect(texts == ["1:list,set,named"])
  }

  @Test func aChangedMemberIsNoChangeOfItsOwner() async throws {
    let (magic, box) = try await boxed()
    let members = magic.changes(of: ExactTag.self)
    let texts = try await reported(ExactBox.self, in: magic) {
      box.list[0].name = "new"
      try await $0.update(box)
    }
    #expect(texts == [])
    #expect(await MagicObservationTests.texts(members) == ["1:name"])
  }

  @Test(.requires(.queries)) func membersThatAreDeletedWithTheirOwnerAreReported() async throws {
    for isRaw in [false, true] where !isRaw || TestedEngine.current.has(.rawSQL) {
      let (magic, box) = try await boxed()
      let members = magic.changes(of: ExactItem.self)
      let texts = try await reported(ExactBox.self, in: magic) {
        if isRaw {
          try await $0.sql("DELETE FROM ExactBox WHERE id = 'a'").run()
        } else {
          try await $0.remove(box)
        }
      }
      #expect(texts == ["-1"])
      #expect(await MagicObservationTests.texts(members) == ["-1 -2"])
    }
  }

  @Test func aNewOwnerIsOnlyAnInsertion() async throws {
    let (magic, box) = try await boxed()
    let texts = try await reported(ExactBox.self, in: magic) {
      let new = ExactBox("c")
      (new.list, new.parts) = (box.list, box.parts)
      try await $0.update(new)
    }
    #expect(texts == ["+3"])
  }

  @Test(.requires(.rawSQL)) func joinRowsOfRawSQLAreReported() async throws {
    let (magic, _) = try await boxed()
    let texts = try await reported(ExactBox.self, in: magic) {
      let list: MagicSQL = "\(links: \ExactBox.$list)"
      try await $0.sql("UPDATE \(sql: list) SET target = 3 WHERE target = 1").run()
      try await $0.sql("UPDATE \(sql: list) SET target = 3 WHERE target = 3").run()
      try await $0.sql("UPDATE \(sql: list) SET owner = 2 WHERE target = 2").run()
      try await $0.sql("DELETE FROM \(sql: list)").run()
      try await $0.sql("INSERT INTO \(sql: list) VALUES (2, 5, 1), (1, 5, 1)").run()
      try await $0.sql("REPLACE INTO \(sql: list) VALUES (2, 5, 1), (1, 5, 2)").run()
      try await $0.sql("UPDATE \(sql: list) SET position = 6 WHERE owner = 1").run()
    }
    #expect(
      texts == ["1:list", "1:list 2:list", "1:list 2:list", "1:list 2:list", "1:list", "1:list"])
  }

  @Test(.requires(.rawSQL)) func aJoinRowThatReplacesAnotherIsComparedWithIt() async throws {
    let (magic, _) = try await boxed()
    let named: MagicSQL = "\(links: \ExactBox.$named)"
    let texts = try await reported(ExactBox.self, in: magic) {
      try await $0.sql("INSERT INTO \(sql: named) VALUES (2, 'x', 1)").run()
      // The join row of the first replaces the equal one of the second.
      try await $0.sql("UPDATE OR REPLACE \(sql: named) SET owner = 2 WHERE \"key\" = 'x'").run()
    }
    #expect(texts == ["2:named", "1:named"])
  }

  @Test func joinRowsThatAreInsertedAndDeletedAreNoChange() async throws {
    let (magic, box) = try await boxed()
    let texts = try await reported(ExactBox.self, in: magic) {
      try await $0.transaction { transaction in
        let last = box.list[2]
        box.list.removeLast()
        try transaction.update(box)
        box.list.append(last)
        try transaction.update(box)
        box.set.insert(last)
        try transaction.update(box)
        box.set.remove(last)
        try transaction.update(box)
      }
    }
    #expect(texts == [])
  }

  @Test(.requires(.rawSQL)) func keysThatAreEqualInSQLiteAreReported() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let scale = ExactScale()
    scale.marks = [1: ExactTag("one")]
    try await magic.update(scale)
    let texts = try await reported(ExactScale.self, in: magic) {
      try await $0.sql("UPDATE \(links: \ExactScale.$marks) SET \"key\" = 1").run()
      try await $0.sql("UPDATE \(links: \ExactScale.$marks) SET \"key\" = 1").run()
      try await $0.sql("UPDATE \(links: \ExactScale.$marks) SET \"key\" = 1.0").run()
    }
    #expect(texts == ["1:marks", "1:marks"])
  }

  @Test func changesOfATypeWithOnlyCollectionsAreReported() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let texts = try await reported(ExactScale.self, in: magic) {
      let scale = ExactScale()
      try await $0.update(scale)
      scale.marks[2] = ExactTag("two")
      try await $0.update(scale)
      try await $0.update(scale)
      try await $0.remove(scale)
    }
    #expect(texts == ["+1", "1:marks", "-1"])
  }
}

struct ExactScale: MagicObject {
  @MagicValue var marks: [Double: ExactTag] = [:]

  init() {}
}
