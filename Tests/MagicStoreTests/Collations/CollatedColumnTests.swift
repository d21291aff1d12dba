import EngineConformance
import MagicQuery
import MagicSQLite
import MagicStatements
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Columns whose texts are compared by a collation.
@Suite(.everyEngine, .requires(.collations)) struct CollatedColumnTests {
  let scratch = Scratch()

  struct Guest: MagicObject {
    @MagicValue(.compared(.localized("de")), .indexed) var name: String = ""
    @MagicValue(.compared(.caseInsensitive), .unique) var mail: String = ""
    @OptionMagicValue(.compared(.localized("sv"))) var nick: String?
    @MagicValue(.compared(.caseInsensitive)) var city: String = ""
    @MagicValue var age = 0
    init() {}
    init(_ name: String, _ mail: String, nick: String? = nil, city: String = "", age: Int = 0) {
      (self.name, self.mail, self.nick, self.city, self.age) = (name, mail, nick, city, age)
    }
  }

  private func withGuests(_ body: (MagicObjectStore) throws -> Void) throws {
    try scratch.using { store throws in
      try store.update(
        contentsOf: [
          Guest("Zoe", "Zoe@x", nick: "ä", city: "Bonn", age: 1),
          Guest("ada", "ada@x", nick: "z", city: "bonn", age: 2),
          Guest("Éva", "Eva@x", city: "Ulm", age: 3),
          Guest("eva", "B@x", nick: "a", city: "BONN", age: 4),
        ])
      try body(store)
    }
    try scratch.expectWhole()
  }

  @Test(.requires(.files)) func theDefinitionNamesTheCollation() throws {
    try withGuests { _ throws in }
    let table = try scratch.raw().text("SELECT sql FROM sqlite_master WHERE name = 'Guest'")
    #expect(
      table == """
        CREATE TABLE "Guest" ("z_index" INTEGER PRIMARY KEY, \
        "name" TEXT COLLATE "magic_localized_de" NOT NULL, "mail" TEXT COLLATE NOCASE NOT NULL, \
        "nick" TEXT COLLATE "magic_localized_sv", "city" TEXT COLLATE NOCASE NOT NULL, \
        "age" INTEGER NOT NULL)
        """)
    let details = try scratch.raw().texts(
      "SELECT details FROM magic_columns WHERE details LIKE '%collation%' ORDER BY property")
    #expect(
      details == [
        #"{"collation":"caseInsensitive"}"#, #"{"collation":"caseInsensitive"}"#,
        #"{"collation":"localized:de"}"#, #"{"collation":"localized:sv"}"#,
      ])
  }

  @Test func ordersFollowTheCollation() throws {
    try withGuests { store throws in
      let guests = store.query(Guest.self)
      #expect(try guests.order(by: \.$name).all().map(\.name) == ["ada", "eva", "Éva", "Zoe"])
      #expect(
        try guests.order(by: \.$name, .descending).all().map(\.name) == [
          "Zoe", "Éva", "eva", "ada",
        ])
      #expect(try guests.order(by: \.$nick).all().map(\.nick) == [nil, "a", "z", "ä"])
      #expect(
        try guests.order(by: \.$mail).all().map(\.mail) == ["ada@x", "B@x", "Eva@x", "Zoe@x"])
      guard TestedEngine.current.has(.statements) else { return }
      let plan = try guests.order(by: \.$name).limit(1).explain()
      #expect(plan.steps.first?.index == "Guest(name)")
    }
  }

  @Test func comparisonsFollowTheCollation() throws {
    try withGuests { store throws in
      let guests = store.query(Guest.self)
      func ages(_ query: MagicQuery<Guest, MagicObjectStore>) throws -> [Int] {
        try query.order(by: \.$age).all().map(\.age)
      }
      #expect(try ages(guests.where(\.$mail == "ZOE@X")) == [1])
      #expect(try ages(guests.where(\.$mail != "ZOE@X")) == [2, 3, 4])
      #expect(try ages(guests.where { $0.$mail.in(["zoe@x", "EVA@X"]) }) == [1, 3])
      #expect(try ages(guests.where(\.$name < "Zoe")) == [2, 3, 4])
      #expect(try ages(guests.where(\.$name > "eva")) == [1, 3])
      #expect(try ages(guests.where(\.$name == "Eva")) == [])
      #expect(try ages(guests.where(\.$nick >= "z")) == [1, 2])
      #expect(try ages(guests.where { $0.$name.between("Éva", "Zoe") }) == [1, 3])
      #expect(try ages(guests.where(\.$city == "ulm")) == [3])
      guard TestedEngine.current.has(.statements) else { return }
      let plan = try guests.where(\.$mail == "ZOE@X").explain()
      #expect(plan.steps.first?.index == "Guest(mail) unique")
    }
  }

  @Test func partsOfTextsAreComparedByTheirBytes() throws {
    try withGuests { store throws in
      let guests = store.query(Guest.self)
      #expect(try guests.where { $0.$name.hasPrefix("e") }.all().map(\.name) == ["eva"])
      #expect(try guests.where { $0.$mail.hasPrefix("Z") }.all().map(\.age) == [1])
      #expect(try guests.where { $0.$mail.hasPrefix("z") }.all().isEmpty)
      #expect(try guests.where { !$0.$name.hasPrefix("Z") }.all().count == 3)
      #expect(try guests.where { $0.$mail.contains("oe") }.all().map(\.age) == [1])
      #expect(try guests.where { $0.$mail.hasSuffix("E@X") }.all().isEmpty)
      #expect(try guests.where { $0.$nick.hasPrefix("\u{10FFFF}") }.all().isEmpty)
    }
  }

  @Test func equalTextsAreOneValueAndOneGroup() throws {
    try withGuests { store throws in
      let guests = store.query(Guest.self)
      #expect(
        try guests.select(\.$city).distinct().all().map { $0.lowercased() } == ["bonn", "ulm"])
      #expect(
        try guests.grouped(by: \.$city).count().map { [$0.key.lowercased(), "\($0.count)"] }
          == [["bonn", "3"], ["ulm", "1"]])
      let sections = try guests.sectioned(by: \.$city).all()
      #expect(sections.map(\.objects.count) == [3, 1])
      #expect(try guests.min(\.$name) == "ada")
      #expect(try guests.max(\.$name) == "Zoe")
      #expect(try guests.order(by: \.$age).limit(3).max(\.$nick) == "ä")
      #expect(try guests.grouped(by: \.$city).having { $0.count > 1 }.count().count == 1)
    }
  }

  /// The text of a group is any of its equal texts.
  @Test func groupsOfEqualTextsAreSelectedAndOrderedByExpressionsOfThem() throws {
    try withGuests { store throws in
      let guests = store.query(Guest.self)
      let groups = guests.grouped(by: \.$city).select { ($0.key(\.$city).uppercased(), $0.count) }
      #expect(try groups.all().map { "\($0.values.0) \($0.values.1)" } == ["BONN 3", "ULM 1"])
      let ordered = guests.order(.descending) { $0.$city.uppercased() }.grouped(by: \.$city)
      #expect(try ordered.count().map(\.count) == [1, 3])
    }
  }

  /// "ä" is before "z" in German, and after it in Swedish and by bytes.
  @Test func groupsAreOrderedByTheTextsOfTheirRowsAsTheColumnCompares() throws {
    try scratch.using { store throws in
      try store.update(
        contentsOf: [Guest("ä", "1", age: 1), Guest("z", "2", age: 2), Guest("B", "3", age: 3)])
      let guests = store.query(Guest.self)
      let ascending = guests.order(by: \.$name)
      #expect(try ascending.grouped(by: \.$age).count().map(\.key) == [1, 3, 2])
      #expect(try ascending.select(\.$age).distinct().all() == [1, 3, 2])
      let descending = guests.order(by: \.$name, .descending)
      #expect(try descending.grouped(by: \.$age).count().map(\.key) == [2, 3, 1])
      #expect(try descending.select(\.$age).distinct().all() == [2, 3, 1])
    }
  }

  @Test func pagesContainEachRowOnce() throws {
    try scratch.using { store throws in
      var random = SeededRandom(5)
      let names = ["ada", "Ada", "ADA", "Éva", "E\u{301}va", "eva", "Zoe", "zoe", "", "ß", "ss"]
      let guests = (0..<60).map { number in
        Guest(
          names.randomElement(using: &random) ?? "", "\(number)",
          nick: names.randomElement(using: &random),
          city: names.randomElement(using: &random) ?? "",
          age: number)
      }
      try store.update(contentsOf: guests)
      typealias Guests = MagicQuery<Guest, MagicObjectStore>
      let query = store.query(Guest.self)
      let orders: [(Guests) -> Guests] = [
        { $0.order(by: \.$name) }, { $0.order(by: \.$name, .descending) },
        { $0.order(by: \.$nick) }, { $0.order(by: \.$nick, .descending) },
        { $0.order(by: \.$city).order(by: \.$name, .descending) },
        { $0.order(by: \.$city, .localized("fr")) }, { $0.order(by: \.$name, .caseInsensitive) },
      ]
      for (place, order) in orders.enumerated() {
        let expected = try order(query).all().map(\.age)
        var found: [Int] = []
        var cursor: MagicCursor?
        repeat {
          let page = try order(query).page(after: cursor, limit: 7)
          found += page.objects.map(\.age)
          cursor = page.next
        } while cursor != nil
        #expect(found == expected, "order \(place)")
      }
    }
  }

  @Test func uniquenessFollowsTheCollation() throws {
    try withGuests { store throws in
      let error = #expect(throws: MagicError.self) { try store.update(Guest("x", "ZOE@x")) }
      #expect(error?.code == .notUnique)
      #expect(error?.property == "mail")
      // The letters beyond A to Z keep their case.
      try store.update(contentsOf: [Guest("x", "É@x"), Guest("x", "é@x")])
    }
  }

  @Test func anObjectIsMatchedByTheCollation() throws {
    try withGuests { store throws in
      try store.update(Guest("new", "ZOE@X", age: 9), matching: \.$mail)
      #expect(try store.query(Guest.self).where(\.$mail == "zoe@x").all().map(\.age) == [9])
      try store.update(
        contentsOf: [Guest("1", "NEW@x", age: 10), Guest("2", "new@X", age: 11)], matching: \.$mail)
      #expect(try store.query(Guest.self).count() == 5)
      #expect(try store.query(Guest.self).where(\.$mail == "new@x").all().map(\.age) == [11])
    }
  }

  @Test(.requires(.rawSQL)) func anIndexIsRebuiltBySQL() throws {
    try withGuests { store throws in
      try store.sql("REINDEX \"Guest(name)\"").run()
      #expect(try store.query(Guest.self).order(by: \.$name).first()?.name == "ada")
    }
  }

  struct Word: MagicObject {
    @PrimaryMagicValue(.compared(.localized("de"))) var text: String
    @MagicValue var count = 0
    init() {}
    init(_ text: String, _ count: Int) { (self.text, self.count) = (text, count) }
  }

  @Test func aPrimaryInTheOrderOfALocaleIsRefused() throws {
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.update(Word("Zoe", 1)) }
      #expect(error?.code == .invalidSchema)
      #expect(error?.property == "text")
    }
  }

  @Test func aTypedIndexHasTheOrderOfItsColumn() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["Zoe", "ada", "Éva"].map { Pupil($0) })
      #expect(
        try store.query(Pupil.self).using(\.byName).all().map(\.name) == ["ada", "Éva", "Zoe"])
      #expect(
        try store.query(Pupil.self).where { $0.$name.hasPrefix("Z") }.all().map(\.name) == ["Zoe"])
    }
  }

  struct Pupil: MagicObject {
    @MagicValue(.compared(.localized("de"))) var name: String = ""
    @MagicValue var isHere = true
    static let byName = MagicTypedIndex(\Pupil.$name)
    static var indexes: [MagicIndex<Pupil>] {
      [byName.index, MagicIndex(\.$isHere, where: { $0.$name.hasPrefix("Z") })]
    }
    init() {}
    init(_ name: String) { self.name = name }
  }

  @Test func aDatabaseInMemoryHasTheSameOrder() throws {
    let store = try MagicObjectStore.onTestedEngine(.memory)
    defer { store.close() }
    try store.update(contentsOf: ["Zoe", "ada", "Éva"].map { Pupil($0) })
    #expect(
      try store.query(Pupil.self).order(by: \.$name).all().map(\.name) == ["ada", "Éva", "Zoe"])
  }

  @Test(.requires(.files)) func aCopyOfTheFileIsWholeAndInOrder() throws {
    try withGuests { store throws in
      try store.backup(to: scratch.url("copy.sqlite3"))
      #expect(try store.verify().isSound)
    }
    let copy = try scratch.raw("copy.sqlite3")
    #expect(try copy.texts("PRAGMA integrity_check") == ["ok"])
    #expect(try copy.texts("SELECT name FROM Guest ORDER BY name") == ["ada", "eva", "Éva", "Zoe"])
  }
}
