import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Elements and streams of one row, some columns, all types.
@Suite(.everyEngine) struct ExactFilterTests {
  struct Named: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue var tags: [ExactTag] = []
    @MagicValue var note: String = ""
  }

  private func stored(_ names: [String]) async throws -> (MagicData, [Named]) {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let objects = names.map { name in
      let object = Named()
      object.id = name
      return object
    }
    try await magic.update(contentsOf: objects)
    return (magic, objects)
  }

  @Test(.requires(.rawSQL)) func thePrimaryOfAChangedRowIsReported() async throws {
    let (magic, _) = try await stored(["a", "b", String(repeating: "long", count: 9)])
    let changes = magic.changes(of: Named.self)
    try await magic.sql("UPDATE \(table: Named.self) SET note = 'n' WHERE z_index = 1").run()
    try await magic.sql("UPDATE \(table: Named.self) SET id = 'c' WHERE z_index = 2").run()
    try await magic.sql("DELETE FROM \(table: Named.self) WHERE z_index = 3").run()
    try await magic.sql("INSERT INTO \(table: Named.self) (id, note) VALUES ('d', '')").run()
    await magic.close()
    let names = ["a", "b", "c", "d", String(repeating: "long", count: 9)]
    var found: [[Int]] = []
    for await element in changes {
      found.append(names.indices.filter { element.hasPrimaryChanged(names[$0]) })
    }
    #expect(found == [[0], [1, 2], [4], [3]])
  }

  @Test(.requires(.queries)) func aPrimaryIsReportedIfOnlyACollectionChanged() async throws {
    let (magic, objects) = try await stored(["a", "b"])
    let changes = magic.changes(of: Named.self)
    let one = magic.changes(of: Named.self, primary: "a")
    let other = magic.changes(of: Named.self, primary: "b")
    objects[0].tags = [ExactTag("t")]
    try await magic.update(objects[0])
    if TestedEngine.current.has(.rawSQL) {
      try await magic.sql("DELETE FROM \(table: ExactTag.self)").run()
    } else {
      try await magic.query(ExactTag.self).delete()
    }
    await magic.close()
    for await element in changes {
      #expect(element.hasPrimaryChanged("a") && !element.hasPrimaryChanged("b"))
    }
    #expect(await texts(one) == ["1:tags", "1:tags"])
    #expect(await texts(other) == [])
  }

  @Test(.requires(.reopening)) func aPrimaryIsReportedBeforeTheTypeWasUsed() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("test.sqlite3").path
    let first = try await MagicData.onTestedEngine(path: path)
    try await first.update(contentsOf: (1...3).map { ExactItem($0) })
    await first.close()
    let magic = try await MagicData.onTestedEngine(path: path)
    let all = magic.changes(of: ExactItem.self)
    let one = magic.changes(of: ExactItem.self, primary: 2)
    try await magic.query(ExactItem.self).where(\.$id == 3).update(set: \.$name, to: "n")
    try await magic.query(ExactItem.self).where(\.$id == 2).update(set: \.$name, to: "n")
    await magic.close()
    #expect(await texts(one) == ["2:name"])
    var elements = all.makeAsyncIterator()
    let element = try #require(await elements.next())
    #expect(element.hasPrimaryChanged(3) && !element.hasPrimaryChanged(2))
  }

  @Test(.requires(.queries)) func aRowIsObservedByItsPrimary() async throws {
    let magic = try await exactItems()
    let changes = magic.changes(of: ExactItem.self, primary: 2)
    try await magic.query(ExactItem.self).update(set: \.$name, to: "n")
    try await magic.query(ExactItem.self).where(\.$id == 2).update(set: \.$id, to: 20)
    try await magic.query(ExactItem.self).where(\.$id == 20).update(set: \.$name, to: "m")
    try await magic.query(ExactItem.self).where(\.$id == 3).update(set: \.$id, to: 2)
    try await magic.query(ExactItem.self).delete()
    try await magic.update(ExactItem(2))
    await magic.close()
    #expect(await texts(changes) == ["2:name", "2:id", "3:id", "-3", "+4"])
  }

  @Test(.requires(.rawSQL)) func aRowIsObservedByItsRowID() async throws {
    let magic = try await exactItems()
    let changes = magic.changes(of: ExactItem.self, zIndex: ZIndex(rawValue: 2))
    try await magic.query(ExactItem.self).update(set: \.$name, to: "n")
    try await magic.query(ExactItem.self).where(\.$id != 2).update(set: \.$name, to: "m")
    try await magic.sql("UPDATE ExactItem SET z_index = 9 WHERE id = 2").run()
    try await magic.sql("UPDATE ExactItem SET z_index = 2 WHERE id = 3").run()
    await magic.close()
    #expect(await texts(changes) == ["2:name", "-2", "+2"])
  }

  @Test func someColumnsAreObserved() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let box = ExactBox("a")
    try await magic.update(box)
    let changes = magic.changes(of: ExactBox.self, columns: \.$title, \.$set)
    box.list = [ExactTag("t")]
    try await magic.update(box)
    box.title = "t"
    box.set = [box.list[0]]
    box.list = []
    try await magic.update(box)
    try await magic.remove(box)
    await magic.close()
    #expect(await texts(changes) == ["1:title,list,set", "-1"])
  }

  @Test(.requires(.queries)) func changedColumnsAreQueriedByProperty() async throws {
    let magic = try await exactItems()
    let changes = magic.changes(of: ExactItem.self)
    try await magic.query(ExactItem.self).where(\.$id == 1).update(set: \.$name, to: "n")
    try await magic.query(ExactItem.self).where(\.$id == 1).delete()
    await magic.close()
    var elements = changes.makeAsyncIterator()
    let update = try #require(await elements.next())
    #expect(
      update.hasChanged(\.$name) && !update.hasChanged(\.$weight) && !update.hasChanged(\.$id))
    #expect(update.hasChanged(ZIndex(rawValue: 1)) && !update.hasChanged(ZIndex(rawValue: 2)))
    let deletion = try #require(await elements.next())
    #expect(deletion.hasChanged(\.$name) && deletion.hasChanged(\.$weight))
  }

  @Test(.requires(.queries)) func changesOfAllTypesAreReportedTogether() async throws {
    let magic = try await exactItems()
    let changes = magic.changes()
    let item = ExactItem(4)
    item.tag = ExactTag("t")
    try await magic.update(item)
    try await magic.query(ExactItem.self).where(\.$id == 1).update(set: \.$name, to: "")
    await magic.close()
    var elements = changes.makeAsyncIterator()
    let element = try #require(await elements.next())
    #expect(element.tables == ["ExactItem", "ExactTag"])
    #expect(try element[ExactItem.self].text == "+4" && element[ExactTag.self].text == "+1")
    #expect(try element[ExactBox.self].isEmpty)
    #expect(await elements.next() == nil)
  }

  @Test(.requires(.rawSQL)) func changesOfTablesWithoutATypeAreReported() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("test.sqlite3").path
    let first = try await MagicData.onTestedEngine(path: path)
    let box = ExactBox("a")
    box.set = [ExactTag("t")]
    try await first.update(box)
    await first.close()
    let magic = try await MagicData.onTestedEngine(path: path)
    let changes = magic.changes()
    try await magic.sql("UPDATE \"ExactBox\" SET heading = 'n'").run()
    try await magic.sql("DELETE FROM \"magic_ExactBox.set\"").run()
    try await magic.sql("CREATE TABLE plain (n)").run()
    try await magic.sql("INSERT INTO plain VALUES (1)").run()
    await magic.close()
    var tables: [[String]] = []
    var boxes: [String] = []
    for await element in changes {
      tables.append(element.tables)
      boxes.append(try element[ExactBox.self].text)
    }
    #expect(tables == [["ExactBox"], ["ExactBox"]])
    #expect(boxes == ["1:title", "1:set"])
  }

  @Test(.requires(.rawSQL)) func elementsThatCancelEachOtherAreDroppedWhenTheyAreMerged()
    async throws
  {
    let (magic, objects) = try await stored(["a"])
    objects[0].tags = [ExactTag("t")]
    try await magic.update(objects[0])
    let all = magic.changes(bufferingAtMost: 1)
    let changes = magic.changes(of: Named.self, bufferingAtMost: 1)
    // Join rows of an owner that is inserted and deleted are a separate table for other observers.
    let links = magic.sql("SELECT count(*) FROM \(links: \Named.$tags)").values(Int.self)
    var counts = links.makeAsyncIterator()
    _ = try await counts.next()
    let object = Named()
    object.id = "b"
    object.tags = objects[0].tags
    try await magic.update(object)
    try await magic.remove(object)
    await magic.close()
    #expect(await texts(changes) == [])
    var elements = all.makeAsyncIterator()
    #expect(await elements.next() == nil)
  }
}
