import EngineConformance
import MagicData
import Testing

/// Raw SQL and verbs report exactly the rows that they change.
@Suite(.everyEngine) struct ExactRowTests {
  @Test(.requires(.rawSQL)) func changesOfRawSQLAreReportedRowByRow() async throws {
    #expect(
      try await reported(
        "INSERT INTO ExactItem (id, name, code, weight) VALUES (7, 'n', 'c', 1.5)",
        "UPDATE ExactItem SET name = 'x', weight = 9.0 WHERE id IN (1, 2)",
        "DELETE FROM ExactItem WHERE id = 3") == ["+4", "1:name,weight 2:name,weight", "-3"])
  }

  @Test(.requires(.rawSQL)) func onlyColumnsWithADifferentValueHaveChanged() async throws {
    #expect(
      try await reported(
        "UPDATE ExactItem SET name = '', weight = 2.0, remark = NULL",
        "UPDATE ExactItem SET name = name, remark = 'r' WHERE id = 1",
        "UPDATE ExactItem SET name = ''", "UPDATE ExactItem SET name = 'n' WHERE id = 9")
        == ["1:weight 3:weight", "1:remark"])
  }

  @Test(.requires(.rawSQL)) func changesBetweenValuesThatAreEqualInSQLiteAreReported() async throws
  {
    #expect(
      try await reported(
        "UPDATE ExactItem SET weight = 1 WHERE id = 1",
        "UPDATE ExactItem SET weight = 0.0 WHERE id = 2",
        "UPDATE ExactItem SET weight = -0.0 WHERE id = 2",
        "UPDATE ExactItem SET weight = 1 WHERE id = 1",
        "UPDATE ExactItem SET weight = 1.0 WHERE id = 1",
        "UPDATE ExactItem SET weight = '1' WHERE id = 1",
        "UPDATE ExactItem SET weight = x'31' WHERE id = 1")
        == ["1:weight", "2:weight", "2:weight", "1:weight", "1:weight", "1:weight"])
  }

  @Test(.requires(.rawSQL)) func aLongTextIsComparedToItsEnd() async throws {
    let (first, second) = (String(repeating: "a", count: 5000), String(repeating: "a", count: 4999))
    #expect(
      try await reported(
        "UPDATE ExactItem SET name = \(first) WHERE id = 1",
        "UPDATE ExactItem SET name = \(first) WHERE id = 1",
        "UPDATE ExactItem SET name = \(second + "b") WHERE id = 1",
        "UPDATE ExactItem SET name = \(second + "b\0") WHERE id = 1")
        == ["1:name", "1:name", "1:name"])
  }

  @Test func aDeletionOfAllRowsIsReportedRowByRow() async throws {
    if TestedEngine.current.has(.rawSQL) {
      #expect(try await reported("DELETE FROM ExactItem") == ["-1 -2 -3"])
    }
    let magic = try await exactItems()
    #expect(
      try await reported(ExactItem.self, in: magic) { try await $0.removeAll(of: ExactItem.self) }
        == ["-1 -2 -3"])
  }

  @Test(.requires(.rawSQL)) func aReplacementReportsTheDeletedAndTheInsertedRow() async throws {
    #expect(
      try await reported(
        "REPLACE INTO ExactItem (z_index, id, code, name, weight) VALUES (2, 2, 'code 2', '', 2.0)",
        "REPLACE INTO ExactItem (z_index, id, code, name, weight) VALUES (2, 2, 'c', '', 2.0)",
        "INSERT OR REPLACE INTO ExactItem (id, code, name, weight) VALUES (1, 'c', '', 1.0)")
        == ["2:code", "-1 -2 +4"])
  }

  @Test(.requires(.rawSQL)) func anUpdateThatReplacesARowReportsBothRows() async throws {
    #expect(
      try await reported("UPDATE OR REPLACE ExactItem SET code = 'code 1' WHERE id = 3")
        == ["-1 3:code"])
  }

  @Test(.requires(.rawSQL)) func aReplacedRowWithTheSameRowIDIsAnUpdate() async throws {
    #expect(
      try await reported("UPDATE OR REPLACE ExactItem SET z_index = 1 WHERE id = 3")
        == ["1:id,code,weight -3"])
    #expect(
      try await reported(
        "UPDATE OR REPLACE ExactItem SET rowid = 2, id = 2, code = 'code 2', weight = 2.0 WHERE id = 3"
      ) == ["-3"])
  }

  @Test(.requires(.rawSQL)) func anUpsertReportsAnUpdate() async throws {
    #expect(
      try await reported(
        """
        INSERT INTO ExactItem (id, code, name, weight) VALUES (2, 'code 2', 'x', 5.0)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name
        """,
        """
        INSERT INTO ExactItem (id, code, name, weight) VALUES (2, 'code 2', 'x', 5.0)
        ON CONFLICT (id) DO NOTHING
        """,
        """
        INSERT INTO ExactItem (id, code, name, weight) VALUES (9, 'code 9', 'x', 5.0)
        ON CONFLICT (id) DO UPDATE SET name = 'y'
        """) == ["2:name", "+4"])
  }

  @Test(.requires(.rawSQL)) func aChangedRowIDIsADeletionAndAnInsertion() async throws {
    #expect(
      try await reported(
        "UPDATE ExactItem SET z_index = 10 WHERE id = 2",
        "UPDATE ExactItem SET rowid = 2 WHERE id = 2",
        "UPDATE ExactItem SET z_index = -z_index") == [
          "-2 +10", "+2 -10", "+-3 +-2 +-1 -1 -2 -3",
        ])
  }

  @Test(.requires(.rawSQL)) func rowsThatExchangeTheirRowIDsAreUpdatesOfBoth() async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) {
      try await $0.transaction { transaction in
        try transaction.sql("UPDATE ExactItem SET z_index = 9 WHERE id = 1").run()
        try transaction.sql("UPDATE ExactItem SET z_index = 1 WHERE id = 2").run()
        try transaction.sql("UPDATE ExactItem SET z_index = 2 WHERE id = 1").run()
      }
    }
    #expect(texts == ["1:id,code,weight 2:id,code,weight"])
  }

  @Test(.requires(.rawSQL)) func insertedAndDeletedRowsAndRestoredValuesAreNoChange() async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) {
      try await $0.transaction { transaction in
        let item = ExactItem(4)
        try transaction.update(item)
        try transaction.remove(item)
        try transaction.query(ExactItem.self).update(set: \.$weight += 1)
        try transaction.query(ExactItem.self).update(set: \.$weight -= 1)
        try transaction.sql("UPDATE ExactItem SET z_index = 99 WHERE id = 3").run()
        try transaction.sql("UPDATE ExactItem SET z_index = 3 WHERE id = 3").run()
        try transaction.sql("DELETE FROM ExactItem WHERE id = 2").run()
        try transaction.sql(
          """
          INSERT INTO ExactItem (z_index, id, name, code, weight) VALUES (2, 2, '', 'code 2', 2.0)
          """
        ).run()
      }
    }
    #expect(texts == [])
  }

  @Test(.requires(.rawSQL)) func aRowThatIsInsertedAgainWithItsRowIDIsAnUpdate() async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) {
      try await $0.transaction { transaction in
        try transaction.sql("DELETE FROM ExactItem WHERE id = 2").run()
        try transaction.sql(
          "INSERT INTO ExactItem (z_index, id, name, code, weight) VALUES (2, 2, 'n', 'code 2', 2.0)"
        ).run()
      }
    }
    #expect(texts == ["2:name"])
  }

  @Test(.requires(.rawSQL)) func rowsThatForeignKeysChangeAreReported() async throws {
    let magic = try await exactItems()
    let items = try await magic.object(of: ExactItem.self)
    items[0].tag = ExactTag("t")
    (items[1].parent, items[2].parent) = (items[0], items[1])
    try await magic.update(contentsOf: items)
    let changes = magic.changes(of: ExactItem.self)
    try await magic.sql("DELETE FROM ExactTag").run()
    try await magic.sql("DELETE FROM ExactItem WHERE id = 1").run()
    await magic.close()
    #expect(await texts(changes) == ["1:tag", "-1 -2 -3"])
  }

  @Test func aRemovalReportsTheCompleteCascade() async throws {
    let magic = try await exactItems()
    let items = try await magic.object(of: ExactItem.self)
    (items[1].parent, items[2].parent) = (items[0], items[1])
    try await magic.update(contentsOf: items)
    let texts = try await reported(ExactItem.self, in: magic) { try await $0.remove(items[0]) }
    #expect(texts == ["-1 -2 -3"])
  }

  @Test(.requires(.rawSQL)) func changesOfUserTriggersAreReportedExactly() async throws {
    #expect(
      try await reported(
        """
        CREATE TRIGGER a BEFORE UPDATE OF name ON ExactItem BEGIN
          UPDATE ExactItem SET remark = 'before' WHERE id = OLD.id; END
        """,
        """
        CREATE TRIGGER b AFTER UPDATE OF name ON ExactItem BEGIN
          UPDATE ExactItem SET weight = weight + 1 WHERE id <> OLD.id; END
        """,
        """
        CREATE TRIGGER c AFTER INSERT ON ExactItem BEGIN
          UPDATE ExactItem SET remark = 'after' WHERE id = NEW.id;
          DELETE FROM ExactItem WHERE id = 2; END
        """,
        """
        CREATE TRIGGER d BEFORE INSERT ON ExactItem BEGIN
          UPDATE ExactItem SET remark = 'soon' WHERE id = 3; END
        """,
        "UPDATE ExactItem SET name = 'n' WHERE id = 1",
        "INSERT INTO ExactItem (id, name, code, weight) VALUES (7, 'n', 'c', 1.5)",
        "CREATE TRIGGER e AFTER INSERT ON ExactItem BEGIN DELETE FROM ExactItem WHERE id = NEW.id; END",
        "UPDATE ExactItem SET remark = 'soon'",
        "INSERT INTO ExactItem (id, name, code, weight) VALUES (8, 'n', 'd', 1.5)")
        == ["1:name,remark 2:weight 3:weight", "-2 3:remark +4", "1:remark 4:remark"])
  }

  @Test(.requires(.rawSQL)) func statementsThatIgnoreConflictsReportTheirChanges() async throws {
    #expect(
      try await reported(
        "UPDATE OR IGNORE ExactItem SET code = 'same'",
        "INSERT OR IGNORE INTO ExactItem (id, name, code, weight) VALUES (1, '', 'x', 0), (5, '', 'y', 0)"
      )
        == ["1:code", "+4"])
  }

  @Test(.requires(.rawSQL), arguments: ["ABORT", "FAIL"])
  func aFailedStatementReportsNothing(conflict: String) async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) { magic async throws in
      try await magic.transaction { transaction in
        let failing = ["ABORT": "UPDATE OR ABORT", "FAIL": "UPDATE OR FAIL"][conflict] ?? ""
        #expect(throws: MagicError.self) {
          try transaction.sql("\(raw: failing) ExactItem SET code = 'same', name = 'n'").run()
        }
        try transaction.sql("UPDATE ExactItem SET remark = 'r' WHERE id = 2").run()
      }
      await #expect(throws: MagicError.self) {
        try await magic.sql("UPDATE OR FAIL ExactItem SET code = 'same'").run()
      }
    }
    #expect(texts == ["2:remark"])
  }

  @Test func savingANewObjectWithAnExistingPrimaryIsAnUpdate() async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) { magic async throws in
      let other = ExactItem(2, weight: 7)
      #expect(try await magic.update(other).rawValue == 2)
      let same = ExactItem(2, weight: 7)
      #expect(try await magic.update(same).rawValue == 2)
    }
    #expect(texts == ["2:weight"])
  }
}
