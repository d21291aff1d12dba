import Foundation
import MagicBrowser
import MagicData
import MagicSQLite
import Testing
import ToolTestSupport

/// Forms edit objects of types that only the file describes.
@Suite struct DescribedEditTests {
  @Test func formChangesEachFormOfValue() async throws {
    try await editingTown([]) { served, magic in
      let ada = try await storedAda(magic)
      let path = "/type/Person/\(try rowID(ada))"
      let mill = try rowID(try await magic.object(of: Town.Home.self, primary: "mill"))
      #expect(try await served.get(path).text.contains(path + "/edit\""))
      let form = try await served.get(path + "/edit").text
      #expect(form.contains("does not have the Swift type"))
      #expect(form.contains("It is a file. A program edits it."))
      #expect(form.contains("It is a collection."))
      let page = try await served.submit(
        path + "/edit",
        [
          "value.name": "Ada\r\nKing <b>", "value.age": "37", "value.isActive": "true",
          "value.born": "1815-12-10T10:30:00Z", "value.mood": "tired",
          "value.tags": "[\"one\", \"two\"]", "value.home": String(mill), "null.note": "1",
          "value.note": "",
        ])
      #expect(page.status == 303)
      let stored = try await storedAda(magic)
      #expect(stored.name == "Ada\nKing <b>")
      #expect(stored.age == 37)
      #expect(stored.isActive)
      #expect(stored.born == Date(timeIntervalSince1970: -4_861_690_200))
      #expect(stored.mood == .tired)
      #expect(stored.tags == ["one", "two"])
      #expect(stored.note == nil)
      #expect(stored.home?.id == "mill")
      #expect(try stored.picture?.load() == Town.pixel)
      #expect(stored.friends.count == 2)
      #expect(try await magic.verify().isSound)
    }
  }

  @Test func numbersKeepTheirDigitsAndTheVersionCounts() async throws {
    try await editingTown([]) { served, magic in
      let before = try await firstAccount(magic)
      let path = "/type/Account/\(try rowID(before))/edit"
      let page = try await served.submit(
        path,
        [
          "value.balance": "-12345678901234567890.25", "value.level": "-128",
          "value.rate": "1e300", "value.key": "6f9619ff-8b86-d011-b42d-00c04fc964ff",
          "value.site": "https://example.com/?a=1&b= é",
        ])
      #expect(page.status == 303)
      let site = try await magic.sql("SELECT site FROM Account").value(String.self)
      #expect(site == "https://example.com/?a=1&b=%20%C3%A9")
      let account = try await firstAccount(magic)
      #expect(account.balance == Decimal(string: "-12345678901234567890.25"))
      #expect(account.level == -128)
      #expect(account.rate == 1e300)
      #expect(account.key.uuidString == "6F9619FF-8B86-D011-B42D-00C04FC964FF")
      #expect(account.site?.absoluteString == site)
      #expect(account.version == before.version + 1)
      // A save of the state before is refused, and a form without changes writes nothing.
      before.level = 2
      await #expect(throws: MagicError.self) { try await magic.update(before) }
      #expect(try await served.submit(path, [:]).status == 303)
      #expect(try await firstAccount(magic).version == account.version)
    }
  }

  @Test(arguments: [
    ("Account", "level", "128", "not a value of the type Int8"),
    ("Account", "rate", "x", "not a number"),
    ("Account", "number", "1.5", "not an integer"), ("Account", "key", "12", "not a UUID"),
    ("Account", "balance", "1e5", "not a decimal number"),
    ("Account", "owner", "999", "There is no object #999"),
    ("Person", "born", "yesterday", "not a date"), ("Person", "mood", "angry", "not a case"),
    ("Person", "tags", "[1]", "not a value of the type Array&lt;String&gt;"),
    ("Person", "tags", "[", "not JSON"), ("Person", "age", "", "A value is needed"),
    ("Person", "id", "bob", "has this value"),
  ])
  func invalidValuesAreShownAtTheirFields(
    _ type: String, _ property: String, _ text: String, _ problem: String
  ) async throws {
    try await editingTown([]) { served, magic in
      let row =
        type == "Account"
        ? try rowID(try await firstAccount(magic)) : try rowID(try await storedAda(magic))
      let page = try await served.submit("/type/\(type)/\(row)/edit", ["value.\(property)": text])
      #expect(page.status == 422)
      let problems = page.text.matches(of: #/id="field-[0-9]+-problem" role="alert">([^<]*)/#)
      #expect(problems.count == 1)
      #expect(problems.first?.output.1.contains(problem) == true)
      #expect(try await storedAda(magic).tags == ["mathematics", "engines"])
    }
  }

  @Test func newObjectsHaveValuesAndRowIDsThatNoneHad() async throws {
    try await editingTown([]) { served, magic in
      let last = try await firstAccount(magic)
      let row = try rowID(last)
      try await magic.remove(last)
      let page = try await served.submit(
        "/type/Account/new",
        ["value.number": "7", "value.balance": "1.5", "value.rate": "2", "value.level": "3"])
      #expect(page.status == 303)
      #expect(page["Location"] == "/type/Account/\(row + 1)")
      let found = try #require(
        try await magic.query(Town.Account.self).where { $0.$number == 7 }.all().first)
      #expect(found.balance == 1.5)
      #expect(found.version == 1)
      #expect(found.site == nil)
      #expect(found.people.isEmpty)
      // The next one of the library is after it.
      let next = Town.Account()
      next.number = 8
      #expect(try await magic.update(next).rawValue == row + 2)
      #expect(try await magic.verify().isSound)
    }
  }

  @Test func numberOfAnAutoIncrementedPrimaryIsSuggested() async throws {
    try await editingTown([]) { served, magic in
      let ticket = Town.Ticket()
      ticket.title = "first"
      try await magic.update(ticket)
      let number = ticket.number
      try await magic.remove(ticket)
      #expect(
        try await served.submit("/type/Ticket/new", ["value.title": "second"]).status == 303)
      let second = try await magic.object(of: Town.Ticket.self, primary: number + 1)
      #expect(second.title == "second")
      // Nothing is above the largest number.
      ticket.number = .max
      try await magic.update(ticket)
      #expect(try await served.form("/type/Ticket/new").fields["value.number"] == "")
    }
  }

  @Test func decimalsAreStoredAsTheLibraryStoresThem() async throws {
    try await editingTown([]) { served, magic in
      for (price, mood) in [("1.5", Town.Temper.calm), ("2", .wild)] {
        let item = Town.Item()
        item.price = try Decimal(storedValue: price)
        item.temper = mood
        try await magic.update(item)
      }
      let item = try #require(
        try await magic.query(Town.Item.self).where { $0.$price == 2 }.all().first)
      let path = "/type/Item/\(try rowID(item))/edit"
      func stored() async throws -> String? {
        try await magic.sql("SELECT price FROM Item WHERE z_index = \(try rowID(item))")
          .value(String.self)
      }
      let equal = try await served.submit(path, ["value.price": "1.50"])
      #expect(equal.status == 422)
      #expect(equal.text.contains("has this value"))
      for (text, expected) in [("-0", "0"), ("007.250", "7.25"), ("-0.10", "-0.1")] {
        #expect(try await served.submit(path, ["value.price": text]).status == 303)
        #expect(try await stored() == expected)
      }
      let digits = String(repeating: "1", count: 38)
      let long = try await served.submit(path, ["value.price": "\(digits).\(digits)"])
      #expect(long.status == 422)
      #expect(long.text.contains("not a decimal number with at most 38 digits"))
      #expect(try await stored() == "-0.1")
      let found = try await magic.query(Town.Item.self).where { $0.$price == -0.1 }.all()
      #expect(found.count == 1)
    }
  }

  @Test func typesWithConversionsOfTheirOwnAreNotEdited() async throws {
    try await editingTown([]) { served, magic in
      let item = Town.Item()
      item.cost = MagicMoney(units: 150)
      try await magic.update(item)
      let path = "/type/Item/\(try rowID(item))/edit"
      let form = try await served.form(path)
      #expect(form.fields["value.temper"] == nil)
      #expect(form.fields["value.cost"] == "150")
      #expect(
        try await served.get(path).text.contains(
          "The file does not contain which values the type Temper has."))
      var fields = form.fields
      fields["value.temper"] = "angry"
      fields["value.cost"] = "151"
      #expect(try await served.post(form.action, fields).status == 303)
      // A document of a type that only a program has replaces one of its kind.
      let unknown = try await served.submit(path, ["value.place": "{\"street\":\"Mill Lane\"}"])
      #expect(unknown.status == 422)
      #expect(unknown.text.contains("The file does not describe this type."))
      let changed = try #require(
        try await magic.query(Town.Item.self).where { $0.$price == 0 }.all().first)
      #expect(changed.temper == .calm)
      #expect(changed.cost.units == 151)
      changed.place = Town.Place(street: "High Street")
      try await magic.update(changed)
      let known = try await served.submit(path, ["value.place": "{\"street\":\"Mill Lane\"}"])
      #expect(known.status == 303)
      let last = try #require(try await magic.query(Town.Item.self).all().first)
      #expect(last.place == Town.Place(street: "Mill Lane"))
    }
  }

  @Test func propertiesWithEqualNamesDoNotEndTheServer() async throws {
    try await editingFile(
      """
      UPDATE magic_columns SET property = char(233) WHERE table_name = 'Person' AND property = 'name';
      UPDATE magic_columns SET property = 'e' || char(769)
        WHERE table_name = 'Person' AND property = 'note';
      """
    ) { served, magic async throws in
      let ada = "/type/Person/1/edit"
      #expect(try await served.submit(ada, ["value.age": "37"]).status == 303)
      #expect(
        try await magic.sql("SELECT age FROM Person WHERE z_index = 1").value(Int.self) == 37)
    }
  }

  @Test func largestStoreNumberHasRowIDs() async throws {
    try await editingFile("UPDATE magic_format SET store_number = 2147483647") {
      served, magic async throws in
      let page = try await served.submit("/type/Home/new", ["value.id": "lodge"])
      #expect(page.status == 303)
      let home = try await magic.object(of: Town.Home.self, primary: "lodge")
      #expect(try rowID(home) == 2_147_483_647 << 32 + 1)
    }
  }

  @Test func rowsIDsOfASharedDatabaseAreInItsRange() async throws {
    try await editingTown([]) { served, magic in
      try await magic.prepareForSharing()
      let bob = try rowID(try await magic.object(of: Town.Person.self, primary: "bob"))
      let page = try await served.submit("/type/Home/new", ["value.id": "lodge"])
      #expect(page.status == 303)
      let home = try await magic.object(of: Town.Home.self, primary: "lodge")
      #expect(try rowID(home) >> 32 == bob >> 32)
      #expect(try await magic.verify().isSound)
    }
  }

  @Test func searchIndexAndObserversFollow() async throws {
    try await withDirectory { directory in
      let magic = try await MagicData(path: directory.appendingPathComponent("l.sqlite3").path)
      try await Library.fill(magic)
      let essays = magic.query(Library.Essay.self).matching(.word("lighthouse")).values()
      let observed = Task {
        for try await found in essays where found.count == 1 { return true }
        return false
      }
      let browser = MagicBrowser(magic, editing: [])
      let served = Served(try await browser.start())
      let essay = try await magic.object(of: Library.Essay.self, primary: 4)
      let page = try await served.submit(
        "/type/Essay/\(try rowID(essay))/edit", ["value.title": "The lighthouse"])
      #expect(page.status == 303)
      #expect(try await observed.value)
      let found = try await magic.query(Library.Essay.self).matching(.word("lighthouse")).all()
      #expect(found.map(\.id) == [4])
      let refused = try await served.submit("/type/Essay/new", ["value.title": "Another"])
      #expect(refused.status == 422)
      #expect(refused.text.contains("only a program creates objects of this type"))
      #expect(try await magic.verify().isSound)
      await browser.stop()
      await magic.close()
    }
  }

  @Test func objectThatWasChangedMeanwhileIsNotOverwritten() async throws {
    try await editingTown([]) { served, magic in
      let ada = try await storedAda(magic)
      var form = try await served.form("/type/Person/\(try rowID(ada))/edit")
      ada.age = 1
      try await magic.update(ada)
      form.fields["value.name"] = "Eve"
      #expect(try await served.post(form.action, form.fields).status == 409)
      form.fields["token"] = "0"
      #expect(try await served.post(form.action, form.fields).status == 400)
      #expect(try await storedAda(magic).name == "Ada")
    }
  }

  @Test func typesThatTheFileDoesNotDescribeAreNotEdited() async throws {
    try await withDirectory { directory in
      let magic = try await MagicData(path: try Fixture.relationships.copy(to: directory))
      let browser = MagicBrowser(magic, editing: [])
      let served = Served(try await browser.start())
      let page = try await served.get("/type/Home/1").text
      #expect(page.contains("can only be deleted"))
      #expect(!page.contains("/type/Home/1/edit"))
      #expect(try await served.get("/type/Home/1/edit").status == 400)
      #expect(try await served.get("/type/Home/new").status == 400)
      await browser.stop()
      await magic.close()
    }
  }

  /// Calls the body with a browser that edits a database that another program has changed.
  private func editingFile(
    _ sql: String, _ body: (Served, MagicData) async throws -> Void
  ) async throws {
    try await Town.withDatabase { path in
      let connection = try SQLiteConnection(path: path)
      try connection.execute(sql)
      connection.close()
      let magic = try await MagicData(path: path)
      let browser = MagicBrowser(magic, editing: [])
      try await body(Served(try await browser.start()), magic)
      await browser.stop()
      await magic.close()
    }
  }
}
