import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Saves and removals of objects with a version.
@Suite(.everyEngine) struct VersionTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func stored(_ id: String, _ magic: MagicData) async throws -> Invoice {
    try await magic.object(of: Invoice.self, primary: id)
  }

  // MARK: Counting

  @Test func theVersionCountsTheSavesThatChangeTheRow() async throws {
    let magic = try await open()
    let invoice = Invoice("a")
    #expect(invoice.version == 0)
    try await magic.update(invoice)
    #expect(invoice.version == 1)
    try await magic.update(invoice)
    #expect(invoice.version == 1)
    invoice.total = 5
    try await magic.update(invoice)
    #expect(invoice.version == 2 && !invoice.hasChanges)
    let fetched = try await stored("a", magic)
    #expect(fetched.version == 2)
    fetched.total = 6
    try await magic.update(fetched)
    fetched.total = 7
    try await magic.update(fetched)
    #expect(try await stored("a", magic).version == 4)
  }

  @Test func everyTypeHasAVersionWhereverItIsDeclared() async throws {
    let magic = try await open()
    let slots = [Slot(3, "a"), Slot(7, "b")]
    let counter = Counter()
    try await magic.update(contentsOf: slots)
    try await magic.update(counter)
    #expect(slots.map(\.version) == [1, 1] && counter.version == 1)
    for slot in slots { slot.guest += "!" }
    counter.count += 1
    try await magic.update(contentsOf: slots)
    try await magic.update(counter)
    #expect(try await magic.object(of: Slot.self).map(\.version) == [2, 2])
    #expect(try await magic.object(of: Counter.self).map(\.version) == [2])
  }

  @Test func copiesOfAStructShareTheVersion() async throws {
    let magic = try await open()
    let invoice = Invoice("a")
    let copy = invoice
    try await magic.update(invoice)
    copy.total = 1
    try await magic.update(copy)
    invoice.total = 2
    try await magic.update(invoice)
    #expect(invoice.version == 3 && copy.version == 3)
  }

  @Test func theFirstSaveOfACopyInsertsVersion1() async throws {
    let magic = try await open()
    let counter = Counter()
    try await magic.update(counter)
    counter.count = 1
    try await magic.update(counter)
    let copy = counter.copy()
    #expect(copy.version == 0)
    try await magic.update(copy)
    #expect(copy.version == 1 && counter.version == 2)
  }

  @Test func anObjectFromAnotherDatabaseBeginsWithVersion1() async throws {
    let magic = try await open()
    let other = try await MagicData.onTestedEngine(type: .temporary)
    let invoice = Invoice("a")
    try await magic.update(invoice)
    invoice.total = 1
    try await magic.update(invoice)
    try await other.update(invoice)
    #expect(invoice.version == 1)
    #expect(try await other.object(of: Invoice.self).map(\.version) == [1])
  }

  @Test func queriesFilterAndSortByTheVersion() async throws {
    let magic = try await open()
    let invoices = [Invoice("a"), Invoice("b"), Invoice("c")]
    try await magic.update(contentsOf: invoices)
    invoices[1].total = 1
    try await magic.update(invoices[1])
    let newer = try await magic.query(Invoice.self).where(\.$version > 1).all()
    #expect(newer.map(\.id) == ["b"])
    #expect(try await magic.query(Invoice.self).max(\.$version) == 2)
  }

  // MARK: Conflicts

  @Test func aSaveOfAnOutdatedObjectThrowsAConflict() async throws {
    let magic = try await open()
    try await magic.update(Invoice("a", total: 1))
    let (first, second) = (try await stored("a", magic), try await stored("a", magic))
    first.total = 2
    try await magic.update(first)
    second.total = 3
    let error = await #expect(throws: MagicError.self) { try await magic.update(second) }
    #expect(error?.code == .conflict && error?.type == "Invoice" && error?.property == "version")
    let zIndex = try #require(second.zIndex)
    #expect(error?.conflict?.zIndex == zIndex)
    #expect(error?.conflict?.version == 1 && error?.conflict?.storedVersion == 2)
    #expect(
      error?.message
        == "Row \(zIndex) has version 2, and the object has version 1: the row was changed since the "
        + "object was fetched or saved. Nothing was written. Fetch the object again, and repeat or "
        + "merge the change.")
    #expect(second.version == 1 && second.total == 3 && second.$total.hasChanged)
    #expect(try await stored("a", magic).total == 2)
  }

  @Test func changesOfDifferentPropertiesConflictToo() async throws {
    let magic = try await open()
    try await magic.update(Invoice("a"))
    let (first, second) = (try await stored("a", magic), try await stored("a", magic))
    first.total = 2
    second.note = "n"
    try await magic.update(first)
    #expect(await conflict { try await magic.update(second) } != nil)
    #expect(try await stored("a", magic).note == "")
  }

  @Test func anUnchangedOutdatedObjectIsSavedWithoutAConflict() async throws {
    let magic = try await open()
    try await magic.update(Invoice("a"))
    let (first, second) = (try await stored("a", magic), try await stored("a", magic))
    first.total = 2
    try await magic.update(first)
    try await magic.update(second)
    #expect(second.version == 1)
  }

  @Test func aConflictRollsBackTheWholeSave() async throws {
    let magic = try await open()
    let invoices = (0..<200).map { Invoice("\($0)") }
    try await magic.update(contentsOf: invoices)
    let other = try await stored("150", magic)
    other.total = 9
    try await magic.update(other)
    for invoice in invoices { invoice.total = 1 }
    #expect(
      await conflict { try await magic.update(contentsOf: invoices + [Invoice("new")]) } != nil)
    #expect(invoices.allSatisfy { $0.version == 1 && $0.hasChanges })
    #expect(try await magic.query(Invoice.self).where(\.$total == 1).count() == 0)
    #expect(try await magic.query(Invoice.self).count() == 200)
    invoices[150].total = 9
    let others = invoices.filter { $0.id != "150" }
    try await magic.update(contentsOf: others)
    #expect(others.allSatisfy { $0.version == 2 })
  }

  @Test func twoInstancesOfARowConflictInOneCall() async throws {
    let magic = try await open()
    try await magic.update(Invoice("a"))
    let (first, second) = (try await stored("a", magic), try await stored("a", magic))
    (first.total, second.total) = (1, 2)
    #expect(await conflict { try await magic.update(contentsOf: [first, second]) } != nil)
    #expect(first.version == 1 && second.version == 1)
    #expect(try await stored("a", magic).total == 0)
  }

  @Test func aMissingRowIsNotFoundAndNoConflict() async throws {
    let magic = try await open()
    let invoice = Invoice("a")
    try await magic.update(invoice)
    invoice.total = 1
    try await magic.update(invoice)
    try await magic.removeAll(of: Invoice.self)
    invoice.total = 2
    let error = await #expect(throws: MagicError.self) { try await magic.update(invoice) }
    #expect(error?.code == .notFound && invoice.version == 2)
    try await magic.update(invoice, ifMissing: .insert)
    #expect(invoice.version == 1)
    #expect(try await stored("a", magic).version == 1)
  }

  @Test func incrementsOfConcurrentTasksAreNotLost() async throws {
    let magic = try await open()
    try await magic.update(Counter())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            var isSaved = false
            while !isSaved {
              let counter = try await magic.object(of: Counter.self)[0]
              counter.count += 1
              do {
                try await magic.update(counter)
                isSaved = true
              } catch let error as MagicError where error.code == .conflict {}
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let counter = try await magic.object(of: Counter.self)[0]
    #expect(counter.count == 100 && counter.version == 101)
  }

  // MARK: Transactions

  @Test func severalSavesOfOneObjectInATransactionSucceed() async throws {
    let magic = try await open()
    let invoice = Invoice("a")
    try await magic.transaction { transaction in
      for total in 1...3 {
        invoice.total = total
        try transaction.update(invoice)
      }
    }
    #expect(invoice.version == 3)
    #expect(try await stored("a", magic).version == 3)
  }

  @Test func twoInstancesInATransactionConflict() async throws {
    let magic = try await open()
    try await magic.update(Invoice("a"))
    let (first, second) = (try await stored("a", magic), try await stored("a", magic))
    (first.total, second.total) = (1, 2)
    try await magic.transaction { transaction in
      try transaction.update(first)
      let error = #expect(throws: MagicError.self) { try transaction.update(second) }
      #expect(error?.conflict?.storedVersion == 2)
    }
    #expect(first.version == 2 && second.version == 1)
    #expect(try await stored("a", magic).total == 1)
  }

  private struct Stopped: Error {}

  @Test func aRollbackRestoresTheVersion() async throws {
    let magic = try await open()
    let (old, new) = (Invoice("a"), Invoice("b"))
    try await magic.update(old)
    let fetched = try await stored("a", magic)
    await #expect(throws: Stopped.self) {
      try await magic.transaction { transaction in
        for total in 1...2 {
          (old.total, new.total) = (total, total)
          try transaction.update(contentsOf: [old, new])
        }
        try transaction.remove(new)
        throw Stopped()
      }
    }
    #expect(old.version == 1 && new.version == 0)
    fetched.total = 7
    try await magic.update(fetched)
    #expect(fetched.version == 2)
    #expect(await conflict { try await magic.update(old) } != nil)
    try await magic.update(new)
    #expect(new.version == 1)
  }

  @Test func aRolledBackSavepointRestoresTheVersionBeforeIt() async throws {
    let magic = try await open()
    let invoice = Invoice("a")
    try await magic.update(invoice)
    try await magic.transaction { transaction in
      invoice.total = 1
      try transaction.update(invoice)
      #expect(throws: Stopped.self) {
        try transaction.transaction { nested in
          invoice.total = 2
          try nested.update(invoice)
          #expect(invoice.version == 3)
          throw Stopped()
        }
      }
      #expect(invoice.version == 2 && invoice.hasChanges)
      try transaction.update(invoice)
    }
    let fetched = try await stored("a", magic)
    #expect(invoice.version == 3 && fetched.version == 3 && fetched.total == 2)
  }

  // MARK: Upserts

  @Test func anUpsertOverwritesTheRowAndIncrementsItsVersion() async throws {
    let magic = try await open()
    let old = Invoice("a", total: 1)
    try await magic.update(old)
    old.total = 2
    try await magic.update(old)
    let new = Invoice("a", total: 3)
    try await magic.update(new)
    #expect(new.version == 3 && new.zIndex == old.zIndex)
    #expect(try await stored("a", magic).version == 3)
    new.total = 4
    try await magic.update(new)
    old.total = 5
    #expect(await conflict { try await magic.update(old) }?.storedVersion == 4)
  }

  @Test func upsertsOfManyObjectsAndOfRowIDsGetTheStoredVersions() async throws {
    let magic = try await open()
    try await magic.update(contentsOf: [Invoice("b"), Invoice("d")])
    try await magic.update(contentsOf: [Slot(2, "b")])
    let invoices = ["a", "b", "c", "d", "e"].map { Invoice($0, total: 1) }
    let slots = [Slot(1, "x"), Slot(2, "x"), Slot(3, "x")]
    try await magic.update(contentsOf: invoices)
    try await magic.update(contentsOf: slots)
    #expect(invoices.map(\.version) == [1, 2, 1, 2, 1] && slots.map(\.version) == [1, 2, 1])
    for invoice in invoices { invoice.total = 2 }
    for slot in slots { slot.guest = "y" }
    try await magic.update(contentsOf: invoices)
    try await magic.update(contentsOf: slots)
    #expect(
      try await magic.query(Invoice.self).order(by: \.$id).all().map(\.version) == [2, 3, 2, 3, 2])
    #expect(try await magic.object(of: Slot.self).map(\.version) == [2, 3, 2])
  }

  @Test func aSaveThatMatchesAUniquePropertyIncrementsTheVersion() async throws {
    let magic = try await open()
    let old = Invoice("a", total: 1, code: "c")
    try await magic.update(old)
    let new = Invoice("b", total: 2, code: "c")
    try await magic.update(new, matching: \.$code)
    #expect(new.id == "a" && new.version == 2)
    new.total = 3
    try await magic.update(new)
    #expect(try await stored("a", magic).version == 3)
    let other = Invoice("b", total: 2, code: "d")
    try await magic.update(other, matching: \.$code)
    #expect(other.version == 1)
  }

  @Test func aRolledBackUpsertLeavesTheObjectWithoutAVersion() async throws {
    let magic = try await open()
    try await magic.update(contentsOf: [Invoice("a"), Invoice("b", code: "c")])
    let (byPrimary, byCode) = (Invoice("a"), Invoice("x", code: "c"))
    await #expect(throws: Stopped.self) {
      try await magic.transaction { transaction in
        try transaction.update(byPrimary)
        try transaction.update(byCode, matching: \.$code)
        #expect(byPrimary.version == 2 && byCode.version == 2)
        throw Stopped()
      }
    }
    #expect(byPrimary.version == 0 && byCode.version == 0)
    #expect(try await stored("a", magic).version == 1)
  }

  @Test func insertsOfNewObjectsBeginWithVersion1() async throws {
    let magic = try await open()
    let (first, second, third) = (Invoice("a"), Invoice("a"), Invoice("b"))
    try await magic.insert(first)
    #expect(try await magic.insert(second, orIgnore: true) == nil)
    try await magic.insert(third, orIgnore: true)
    #expect(first.version == 1 && second.version == 0 && third.version == 1)
    await #expect(throws: MagicError.self) { try await magic.insert(second) }
    #expect(second.version == 0)
    #expect(try await stored("a", magic).version == 1)
  }

  // MARK: Updates by queries

  @Test func anUpdateByAQueryIncrementsTheVersions() async throws {
    let magic = try await open()
    let (low, high) = (Invoice("a", total: 1), Invoice("b", total: 9))
    try await magic.update(contentsOf: [low, high])
    #expect(
      try await magic.query(Invoice.self).where(\.$total > 5).update(set: \.$total += 1) == 1)
    high.total = 0
    #expect(await conflict { try await magic.update(high) }?.storedVersion == 2)
    low.total = 0
    try await magic.update(low)
    #expect(try await magic.query(Invoice.self).order(by: \.$id).all().map(\.version) == [2, 2])
  }

  @Test func anUpdateByAQueryCannotSetTheVersion() async throws {
    let magic = try await open()
    try await magic.update(Invoice("a"))
    let error = await #expect(throws: MagicError.self) {
      try await magic.query(Invoice.self).update(set: .set(\.$version, to: 7))
    }
    #expect(error?.code == .invalidQuery && error?.property == "version")
  }

  // MARK: Removals

  @Test func removingAnOutdatedObjectThrowsAConflict() async throws {
    let magic = try await open()
    try await magic.update(contentsOf: [Invoice("a"), Invoice("b")])
    let (first, second) = (try await stored("a", magic), try await stored("a", magic))
    first.total = 1
    try await magic.update(first)
    let other = try await stored("b", magic)
    let found = await conflict { try await magic.remove(contentsOf: [other, second]) }
    #expect(found?.version == 1 && found?.storedVersion == 2)
    #expect(other.isSaved && second.isSaved && second.version == 1)
    #expect(try await magic.query(Invoice.self).count() == 2)
    try await magic.remove(contentsOf: [other, first])
    #expect(try await magic.query(Invoice.self).count() == 0)
    // The row does not exist any more, which is no error of a removal.
    try await magic.remove(second)
  }

  @Test func anObjectThatIsSavedAgainAfterItsRemovalBeginsWithVersion1() async throws {
    let magic = try await open()
    let invoice = Invoice("a")
    try await magic.update(invoice)
    invoice.total = 1
    try await magic.update(invoice)
    try await magic.remove(invoice)
    try await magic.update(invoice)
    #expect(invoice.version == 1)
    #expect(try await stored("a", magic).version == 1)
  }

  // MARK: Records

  @Test func valuesOfAnOutdatedVersionCannotBeApplied() async throws {
    let magic = try await open()
    let invoice = Invoice("a", total: 1)
    try await magic.update(invoice)
    let sent = invoice.values
    #expect(sent.$version == 1)
    invoice.total = 2
    try await magic.update(invoice)
    let error = #expect(throws: MagicError.self) { try invoice.apply(sent) }
    #expect(error?.code == .conflict && error?.conflict?.storedVersion == 2)
    #expect(invoice.total == 2)
    try invoice.apply(sent.omitting(\.$version))
    #expect(invoice.total == 1 && invoice.version == 2)
    #expect(try Invoice(sent).version == 0)
  }
}
