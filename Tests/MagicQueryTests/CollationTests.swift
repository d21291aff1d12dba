import EngineConformance
import Foundation
import MagicData
import MagicQuery
import MagicSchema
import Testing

/// Predicates that ignore the case of letters.
@Suite(.everyEngine) struct CaseTests {
  let test: TestStore

  init() throws {
    test = try TestStore()
    try test.store.update(contentsOf: [
      Resident("Éva", nick: "ÀÉ"), Resident("ÉVA"), Resident("eva", nick: "x"),
      Resident("E\u{301}va"), Resident("Straße"), Resident("100%_"),
    ])
  }

  private func names(
    _ predicate: (MagicRow<Resident>) -> MagicPredicate<Resident>
  ) throws -> [String] {
    try test.store.query(Resident.self).where(predicate).all().map(\.name)
  }

  @Test func equalityIgnoresTheCaseOfAllLetters() throws {
    #expect(
      try names { $0.$name.equals("éVA", .caseInsensitive) }.map { Array($0.utf8) }
        == ["Éva", "ÉVA"].map { Array($0.utf8) })
    #expect(try names { $0.$name.equals("EVA", .caseInsensitive) } == ["eva"])
    #expect(try names { $0.$nick.equals("àé", .caseInsensitive) } == ["Éva"])
    #expect(try names { !$0.$nick.equals("àé", .caseInsensitive) }.count == 5)
    #expect(try names { $0.$name.equals("STRASSE", .caseInsensitive) } == [])
    #expect(try names { $0.$name.equals("STRAßE", .caseInsensitive) } == ["Straße"])
  }

  @Test func partsOfTextsAreFoundWithoutTheCaseOfAllLetters() throws {
    #expect(try names { $0.$name.contains("ÉV", .caseInsensitive) }.count == 2)
    #expect(try names { $0.$name.contains("%_", .caseInsensitive) } == ["100%_"])
    #expect(try names { $0.$name.hasPrefix("EV", .caseInsensitive) } == ["eva"])
    #expect(try names { $0.$name.hasSuffix("VA", .caseInsensitive) }.count == 4)
    #expect(try names { $0.$nick.contains("", .caseInsensitive) }.count == 2)
  }
}

/// Queries that compare texts by a collation.
@Suite(.everyEngine, .requires(.collations)) struct CollationTests {
  let test: TestStore

  init() throws {
    test = try TestStore()
    try test.store.update(
      contentsOf: ["Zoe", "ada", "Éva", "eva", "ä", "Ada"].map {
        Resident($0, nick: $0 == "ä" ? nil : $0)
      })
  }

  private var residents: MagicQuery<Resident, MagicObjectStore> { test.store.query(Resident.self) }

  @Test func aQueryHasTheOrderOfItsCollation() throws {
    #expect(
      try residents.order(by: \.$name, .localized("de")).all().map(\.name)
        == ["ä", "ada", "Ada", "eva", "Éva", "Zoe"])
    #expect(
      try residents.order(by: \.$name, .localized("sv"), .descending).all().map(\.name)
        == ["ä", "Zoe", "Éva", "eva", "Ada", "ada"])
    #expect(
      try residents.order(by: \.$name, .caseInsensitive).all().map(\.name)
        == ["ada", "Ada", "eva", "Zoe", "Éva", "ä"])
    #expect(try residents.order(by: \.$nick, .localized("de")).all().first?.name == "ä")
    #expect(
      try MagicQuery(Resident.self).order(by: \.$name, .localized("de")).sql.hasSuffix(
        " ORDER BY t0.\"name\" COLLATE \"magic_localized_de\", t0.\"z_index\""))
  }

  @Test func theCurrentLocaleIsThatOfTheProcess() throws {
    let sql = try MagicQuery(Resident.self).order(by: \.$name, .localized).sql
    #expect(sql.contains("COLLATE \"magic_localized_\(Locale.current.identifier)\""))
    #expect(try residents.order(by: \.$name, .localized).all().count == 6)
  }

  @Test func anExpressionIsComparedByItsCollation() throws {
    #expect(
      try residents.where { $0.$name.compared(.localized("de")) < "b" }.all().map(\.name)
        == ["ada", "ä", "Ada"])
    #expect(
      try residents.where { $0.$name.compared(.caseInsensitive) == "EVA" }.all().map(\.name)
        == ["eva"])
    #expect(
      try residents.where { $0.$name.compared(.caseInsensitive).hasPrefix("A") }.all().map(\.name)
        == ["Ada"])
    #expect(
      try residents.grouped { $0.$name.compared(.caseInsensitive) }.count().map(\.count).sorted()
        == [1, 1, 1, 1, 2])
    #expect(
      try residents.select { $0.$name.compared(.localized("de")) }.all().count == 6)
    #expect(
      try residents.select(\.$name).order(by: \.$name, .localized("de")).all().first == "ä")
  }

  @Test func aCursorBelongsToItsCollation() throws {
    let german = residents.order(by: \.$name, .localized("de"))
    let page = try german.page(limit: 4)
    #expect(page.objects.map(\.name) == ["ä", "ada", "Ada", "eva"])
    #expect(try german.page(after: page.next, limit: 4).objects.map(\.name) == ["Éva", "Zoe"])
    let swedish = residents.order(by: \.$name, .localized("sv"))
    let error = #expect(throws: MagicError.self) { try swedish.page(after: page.next, limit: 4) }
    #expect(error?.code == .invalidQuery)
  }

  struct Name: MagicObject {
    @MagicValue(.compared(.localized("de")), .indexed) var text: String = ""
    @MagicValue(.compared(.caseInsensitive)) var other: String = ""
    init() {}
    init(_ text: String) { (self.text, other) = (text, text) }
  }

  @Test func aStreamContainsEachRowOnceInOrder() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    let texts = ["ada", "Ada", "ä", "Éva", "eva", "", "Zoe", "zoe"]
    try await magic.update(contentsOf: (0..<1_100).map { Name(texts[$0 % texts.count]) })
    let queries = [
      magic.query(Name.self).order(by: \.$text), magic.query(Name.self).order(by: \.$other),
      magic.query(Name.self).order(by: \.$other, .localized("sv"), .descending),
    ]
    for query in queries {
      var streamed: [ZIndex?] = []
      for try await name in query.stream() { streamed.append(name.zIndex) }
      #expect(try await query.all().map(\.zIndex) == streamed)
      #expect(streamed.count == 1_100)
    }
  }

  @Test func selectionsAreCombinedByTheCollationOfTheFirst() throws {
    try test.store.update(contentsOf: ["Oslo", "oslo", "Rome"].map { Name($0) })
    let names = test.store.query(Name.self)
    let others = names.select(\.$other).union(MagicQuery(Name.self).select(\.$other))
    #expect(try others.all().count == 2)
    #expect(try names.select(\.$text).distinct().all().count == 3)
    #expect(try names.grouped(by: \.$other).count().count == 2)
  }

  @Test func anInvalidLocaleIsAnInvalidQuery() throws {
    for locale in ["", "d\"e", String(repeating: "x", count: 65)] {
      let error = #expect(throws: MagicError.self) {
        try residents.order(by: \.$name, .localized(locale)).all()
      }
      #expect(error?.code == .invalidQuery)
    }
  }

  @Test func anIndexCannotContainACollation() throws {
    struct Entry: MagicObject {
      @MagicValue var name: String = ""
      static var indexes: [MagicIndex<Entry>] {
        [MagicIndex { $0.$name.compared(.localized("de")) }]
      }
    }
    let error = #expect(throws: MagicError.self) { try test.store.update(Entry()) }
    #expect(error?.code == .invalidSchema)
  }
}
