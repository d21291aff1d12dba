import EngineConformance
import MagicData
import MagicTestSupport
import Testing

/// Committed changes are reported and rolled back ones are not, also in shared commits.
@Suite(.everyEngine) struct ExactTransactionTests {
  @Test(.requires(.queries)) func aTransactionThatThrowsReportsNothing() async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) { magic async throws in
      await #expect(throws: ExactFailure.self) {
        try await magic.transaction { transaction in
          try transaction.query(ExactItem.self).delete()
          throw ExactFailure()
        }
      }
      try await magic.query(ExactItem.self).where(\.$id == 1).update(set: \.$name, to: "n")
    }
    #expect(texts == ["1:name"])
  }

  @Test(.requires(.queries)) func changesOfANestedTransactionThatThrowsAreOmitted() async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) {
      try await $0.transaction { transaction in
        try transaction.query(ExactItem.self).where(\.$id == 1).update(set: \.$name, to: "n")
        #expect(throws: ExactFailure.self) {
          try transaction.transaction { inner in
            try inner.query(ExactItem.self).update(
              set: .set(\.$name, to: "m"), .set(\.$weight, to: 9.0))
            try inner.query(ExactItem.self).where(\.$id == 3).delete()
            try inner.update(ExactItem(4))
            throw ExactFailure()
          }
        }
        try transaction.query(ExactItem.self).where(\.$id != 1).update(set: \.$remark, to: "r")
      }
    }
    #expect(texts == ["1:name 2:remark 3:remark"])
  }

  @Test func aFailedSaveInASharedCommitReportsNothing() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(ExactItem(1_000))
    let changes = magic.changes(of: ExactItem.self, bufferingAtMost: 1_000)
    let saved = await withTaskGroup(of: Bool.self) { group in
      for number in 1...300 {
        group.addTask {
          let item = ExactItem(number)
          if number % 3 == 0 { item.code = "code 1000" }
          return await (try? magic.update(item)) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    await magic.close()
    let reported = await texts(changes)
    #expect(saved == 200 && reported.count == 200)
    #expect(reported.allSatisfy { $0.hasPrefix("+") && !$0.contains(" ") })
    #expect(Set(reported).count == 200)
  }

  @Test func aNewTableIsReportedFromItsFirstRow() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let tags = magic.changes(of: ExactTag.self)
    let texts = try await reported(ExactItem.self, in: magic) {
      let item = ExactItem(1)
      item.tag = ExactTag("t")
      try await $0.update(item)
      item.name = "n"
      try await $0.update(item)
    }
    #expect(texts == ["+1", "1:name"])
    #expect(await MagicObservationTests.texts(tags) == ["+1"])
  }

  @Test(.requires([.queries, .singleRuns]))
  func aFirstSaveThatIsRolledBackAndRepeatedIsReportedOnce() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let texts = try await reported(ExactItem.self, in: magic) { magic async throws in
      await #expect(throws: ExactFailure.self) {
        try await magic.transaction { transaction in
          try transaction.update(ExactItem(1))
          throw ExactFailure()
        }
      }
      try await magic.update(ExactItem(1))
      try await magic.query(ExactItem.self).update(set: \.$name, to: "n")
    }
    #expect(texts == ["+1", "1:name"])
  }

  @Test(.requires([.queries, .singleRuns]))
  func aFirstSaveInANestedTransactionMayBeRolledBackAndRepeated()
    async throws
  {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(ExactTag("t"))
    let boxes = magic.changes(of: ExactBox.self)
    let tags = magic.changes(of: ExactTag.self)
    let texts = try await reported(ExactItem.self, in: magic) {
      try await $0.transaction { transaction in
        try transaction.query(ExactTag.self).update(set: \.$name, to: "u")
        for _ in 0..<2 {
          #expect(throws: ExactFailure.self) {
            try transaction.transaction { inner in
              try inner.update(ExactItem(1))
              try inner.update(ExactBox("a"))
              throw ExactFailure()
            }
          }
        }
        try transaction.update(ExactItem(1))
        try transaction.transaction { try $0.update(ExactBox("a")) }
      }
      if TestedEngine.current.has(.rawSQL) {
        try await $0.sql("UPDATE ExactBox SET heading = 'n'").run()
        try await $0.sql("DELETE FROM ExactTag").run()
      } else {
        try await $0.query(ExactBox.self).update(set: \.$title, to: "n")
        try await $0.query(ExactTag.self).delete()
      }
    }
    #expect(texts == ["+1"])
    #expect(await MagicObservationTests.texts(boxes) == ["+1", "1:title"])
    #expect(await MagicObservationTests.texts(tags) == ["1:name", "-1"])
  }

  @Test(.requires(.queries)) func newTablesKeepTheRecordedChanges() async throws {
    let magic = try await exactItems()
    let all = magic.changes()
    let texts = try await reported(ExactItem.self, in: magic) {
      try await $0.transaction { transaction in
        try transaction.query(ExactItem.self).where(\.$id == 1).update(set: \.$name, to: "n")
        try transaction.update(ExactScale())
        try transaction.query(ExactItem.self).where(\.$id == 2).update(set: \.$name, to: "n")
        try transaction.update(ExactBox("a"))
        try transaction.update(ExactTag("t"))
      }
    }
    #expect(texts == ["1:name 2:name"])
    var elements = all.makeAsyncIterator()
    let element = try #require(await elements.next())
    #expect(element.tables == ["ExactBox", "ExactItem", "ExactScale", "ExactTag"])
    #expect(element.isComplete)
    #expect(await elements.next() == nil)
  }

  @Test(.requires([.queries, .singleRuns]))
  func anObserverAddedDuringATransactionReceivesAnIncompleteChange()
    async throws
  {
    let magic = try await exactItems()
    try await magic.update(ExactTag("t"))
    let first = magic.changes(of: ExactTag.self)
    let second = try await magic.transaction { transaction in
      try transaction.query(ExactItem.self).where(\.$id == 1).update(set: \.$name, to: "n")
      let changes = magic.changes(of: ExactItem.self)
      // A new table makes the recorder search for tables.
      try transaction.update(ExactScale())
      try transaction.query(ExactItem.self).where(\.$id == 2).update(set: \.$name, to: "n")
      return changes
    }
    try await magic.query(ExactItem.self).where(\.$id == 3).update(set: \.$name, to: "n")
    await magic.close()
    #expect(await texts(first) == [])
    #expect(await texts(second) == ["?", "3:name"])
  }

  @Test(.requires(.queries)) func thousandsOfRowsAreOneElement() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let changes = magic.changes(of: ExactItem.self)
    try await magic.update(contentsOf: (1...2_000).map { ExactItem($0) })
    try await magic.query(ExactItem.self).where(\.$id > 500).update(set: \.$weight, to: 1)
    try await magic.query(ExactItem.self).where(\.$id <= 500).delete()
    await magic.close()
    var elements = changes.makeAsyncIterator()
    #expect(await elements.next()?.inserted.count == 2_000)
    #expect(await elements.next()?.updated.count == 1_500)
    #expect(await elements.next()?.deleted.count == 500)
    #expect(await elements.next() == nil)
  }
}
