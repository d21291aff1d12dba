import Foundation
import MagicBrowser
import MagicData
import Testing
import ToolTestSupport

/// Forms create, edit and delete objects through the library, with all its rules.
@Suite struct EditTests {
  // MARK: Editing

  @Test func formChangesEachFormOfValue() async throws {
    try await editingTown { served, magic in
      let row = try rowID(try await storedAda(magic))
      let mill = try rowID(try await magic.object(of: Town.Home.self, primary: "mill"))
      let page = try await served.submit(
        "/type/Person/\(row)/edit",
        [
          "value.name": "Ada\r\nKing <b>", "value.age": "37", "value.isActive": "true",
          "value.born": "1815-12-10T10:30:00Z", "value.mood": "tired",
          "value.tags": "[\"one\", \"two\"]", "value.home": String(mill), "null.note": "1",
          "value.note": "",
        ])
      #expect(page.status == 303)
      #expect(page["Location"] == "/type/Person/\(row)")
      let ada = try await storedAda(magic)
      #expect(ada.name == "Ada\nKing <b>")
      #expect(ada.age == 37)
      #expect(ada.isActive)
      #expect(ada.born == Date(timeIntervalSince1970: -4_861_690_200))
      #expect(ada.mood == .tired)
      #expect(ada.tags == ["one", "two"])
      #expect(ada.note == nil)
      #expect(ada.home?.id == "mill")
      // What the form did not change is as before.
      #expect(try ada.picture?.load() == Town.pixel)
      #expect(ada.friends.count == 2)
    }
  }

  @Test func numbersKeepAllTheirDigits() async throws {
    try await editingTown { served, magic in
      let before = try await firstAccount(magic)
      let page = try await served.submit(
        "/type/Account/\(try rowID(before))/edit",
        [
          "value.balance": "-12345678901234567890.25", "value.level": "-128",
          "value.rate": "1e300", "value.key": "6f9619ff-8b86-d011-b42d-00c04fc964ff",
          "value.site": "https://example.com/?a=1&b=%20",
        ])
      #expect(page.status == 303)
      let account = try await firstAccount(magic)
      #expect(account.balance == Decimal(string: "-12345678901234567890.25"))
      #expect(account.level == -128)
      #expect(account.rate == 1e300)
      #expect(account.key.uuidString == "6F9619FF-8B86-D011-B42D-00C04FC964FF")
      #expect(account.site == URL(string: "https://example.com/?a=1&b=%20"))
      #expect(account.version == before.version + 1)
    }
  }

  @Test func unchangedFormWritesNothing() async throws {
    try await editingTown { served, magic in
      // Texts that a form shows only approximately, or that browsers change.
      let ada = try await storedAda(magic)
      ada.born = Date(timeIntervalSinceReferenceDate: 1.000_000_1)
      ada.note = "first\r\nsecond\rthird\n"
      try await magic.update(ada)
      for (type, row) in [
        ("Person", try rowID(ada)), ("Account", try rowID(try await firstAccount(magic))),
        ("Home", try rowID(try await magic.object(of: Town.Home.self, primary: "mill"))),
      ] {
        let version = try await firstAccount(magic).version
        #expect(try await served.submit("/type/\(type)/\(row)/edit", [:]).status == 303)
        #expect(try await firstAccount(magic).version == version)
      }
      let again = try await storedAda(magic)
      #expect(again.born == ada.born)
      #expect(again.note == "first\r\nsecond\rthird\n")
    }
  }

  @Test func membersAreEditedByTheirRows() async throws {
    try await editingTown { served, magic in
      let ada = try await storedAda(magic)
      let bob = try rowID(try await magic.object(of: Town.Person.self, primary: "bob"))
      let friend = try rowID(try #require(ada.friends.first))
      let page = try await served.submit(
        "/type/Person/\(try rowID(ada))/edit", ["value.friends": "\(bob)\r\n#\(friend)\r\n"])
      #expect(page.status == 303)
      #expect(
        Set(try await storedAda(magic).friends.map { $0.zIndex?.rawValue }) == [bob, friend])
      let account = try rowID(try await firstAccount(magic))
      #expect(
        try await served.submit(
          "/type/Account/\(account)/edit", ["value.people": "\(bob)\r\n\(friend)\r\n\(bob)"]
        ).status == 303)
      #expect(
        try await firstAccount(magic).people.map { $0.zIndex?.rawValue } == [bob, friend, bob])
      let missing = try await served.submit(
        "/type/Account/\(account)/edit", ["value.people": "999999"])
      #expect(missing.status == 422)
      #expect(missing.text.contains("There is no object #999999."))
    }
  }

  @Test func observersAreNotified() async throws {
    try await editingTown { served, magic in
      let row = try rowID(try await storedAda(magic))
      let changes = Task {
        for try await change in magic.changes(of: Town.Person.self) { return "\(change)" }
        return ""
      }
      try await Task.sleep(for: .milliseconds(200))
      #expect(
        try await served.submit("/type/Person/\(row)/edit", ["value.age": "40"]).status == 303)
      #expect(try await changes.value.isEmpty == false)
    }
  }

  // MARK: Invalid values

  @Test(arguments: [
    ("age", "old", "The text is not an integer."), ("age", "", "A value is needed."),
    ("born", "yesterday", "The text is not a date."),
    ("tags", "[1, 2]", "The text is not a value of the type"),
    ("tags", "{", "The text is not JSON."), ("home", "Mill", "Write the row ID"),
    ("home", "999999", "There is no object #999999."), ("mood", "angry", "The text is not a case"),
  ])
  func invalidTextIsReportedAtItsField(_ name: String, _ text: String, _ message: String)
    async throws
  {
    try await editingTown { served, magic in
      let row = try rowID(try await storedAda(magic))
      let page = try await served.submit(
        "/type/Person/\(row)/edit", ["value.\(name)": text, "value.note": "kept <text>"])
      #expect(page.status == 422)
      #expect(page.text.contains(message))
      // The field is marked, and what was typed is still there.
      #expect(page.text.contains("aria-invalid=\"true\""))
      let form = try #require(PageForm(page.text))
      #expect(form.fields["value.note"] == "kept <text>")
      if name != "mood" || text == "angry" { #expect(form.fields["value.\(name)"] == text) }
      // Nothing was saved, and the form can be sent again.
      #expect(try await storedAda(magic).note == "Wrote the first program.")
      var fields = form.fields
      fields["value.\(name)"] = nil
      #expect(try await served.post(form.action, fields).status == 303)
      #expect(try await storedAda(magic).note == "kept <text>")
    }
  }

  @Test func valuesOutsideOfTheSwiftTypeAreRefused() async throws {
    try await editingTown { served, magic in
      let row = try rowID(try await firstAccount(magic))
      for (name, text) in [("level", "128"), ("balance", "1e5"), ("key", "no"), ("rate", "nan")] {
        let page = try await served.submit("/type/Account/\(row)/edit", ["value.\(name)": text])
        #expect(page.status == 422, "\(name)")
        #expect(page.text.contains("aria-invalid"), "\(name)")
      }
      let account = try await firstAccount(magic)
      #expect(account.level == 1)
    }
  }

  @Test func uniqueValuesStayUnique() async throws {
    try await editingTown { served, magic in
      let other = Town.Account()
      other.number = 2
      try await magic.update(other)
      let page = try await served.submit(
        "/type/Account/\(try rowID(other))/edit", ["value.number": "1"])
      #expect(page.status == 422)
      #expect(page.text.contains("role=\"alert\""))
      #expect(try await magic.query(Town.Account.self).where { $0.$number == 1 }.count() == 1)
    }
  }

  @Test func nullAndEmptyTextDiffer() async throws {
    try await editingTown { served, magic in
      let row = try rowID(try await firstAccount(magic))
      let form = try await served.form("/type/Account/\(row)/edit")
      #expect(form.fields["null.text"] == "1")
      var fields = form.fields
      fields["null.text"] = nil
      #expect(try await served.post(form.action, fields).status == 303)
      #expect(try await firstAccount(magic).text == "")
      let again = try await served.form("/type/Account/\(row)/edit")
      #expect(again.fields["null.text"] == nil)
      fields = again.fields
      fields["null.text"] = "1"
      #expect(try await served.post(again.action, fields).status == 303)
      #expect(try await firstAccount(magic).text == nil)
      fields["value.text"] = "text"
      let both = try await served.post(again.action, fields)
      #expect(both.status == 422)
      #expect(both.text.contains("null is selected"))
    }
  }

  // MARK: Creating

  @Test func newObjectHasTheDefaultsOfItsType() async throws {
    try await editingTown { served, magic in
      let form = try await served.form("/type/Person/new")
      #expect(form.fields["value.mood"] == "calm")
      #expect(form.fields["value.isActive"] == "false")
      #expect(form.fields["value.id"]?.count == 36)
      #expect(form.fields["null.home"] == "1")
      let page = try await served.submit(
        "/type/Person/new", ["value.id": "eve", "value.name": "Eve", "value.age": "20"])
      #expect(page.status == 303)
      let eve = try await magic.object(of: Town.Person.self, primary: "eve")
      #expect(page["Location"] == "/type/Person/\(try rowID(eve))")
      #expect(eve.name == "Eve")
      #expect(eve.age == 20)
      #expect(eve.note == nil)
      #expect(eve.home == nil)
      #expect(eve.friends.isEmpty)
      #expect(eve.mood == .calm)
    }
  }

  @Test func newObjectRefersToStoredObjects() async throws {
    try await editingTown { served, magic in
      let mill = try rowID(try await magic.object(of: Town.Home.self, primary: "mill"))
      let bob = try rowID(try await magic.object(of: Town.Person.self, primary: "bob"))
      let page = try await served.submit(
        "/type/Account/new",
        [
          "value.number": "2", "value.balance": "0.10", "value.owner": String(mill),
          "value.people": "\(bob)",
        ])
      #expect(page.status == 303)
      let account = try await magic.query(Town.Account.self).where { $0.$number == 2 }.all()[0]
      #expect(account.balance == Decimal(string: "0.1"))
      #expect(account.owner?.id == "mill")
      #expect(account.people.map(\.id) == ["bob"])
      #expect(account.version == 1)
    }
  }

  @Test func databaseAssignsNumbersAndNamesMissingValues() async throws {
    try await editingTown([Town.Ticket.self]) { served, magic in
      let ticket = Town.Ticket()
      ticket.title = "first"
      try await magic.update(ticket)
      let form = try await served.form("/type/Ticket/new")
      #expect(form.fields["value.number"] == "")
      let page = try await served.submit("/type/Ticket/new", ["value.title": "second"])
      #expect(page.status == 303)
      #expect(try await magic.object(of: Town.Ticket.self, primary: 2).title == "second")
      // The property has no default value, and nothing was typed for it.
      let missing = try await served.post(
        "/type/Ticket/new", ["token": form.fields["token"] ?? ""])
      #expect(missing.status == 422)
      #expect(missing.text.contains("aria-invalid"))
      #expect(try await magic.query(Town.Ticket.self).count() == 2)
    }
  }

  @Test func equivalentCharactersAreDifferentTexts() async throws {
    try await editingTown { served, magic in
      let ada = try await storedAda(magic)
      ada.name = "Zo\u{EB}"
      try await magic.update(ada)
      let page = try await served.submit(
        "/type/Person/\(try rowID(ada))/edit", ["value.name": "Zoe\u{308}"])
      #expect(page.status == 303)
      #expect(Array(try await storedAda(magic).name.unicodeScalars).count == 4)
    }
  }

  @Test func creationReplacesNoStoredObject() async throws {
    try await editingTown { served, magic in
      let page = try await served.submit("/type/Person/new", ["value.id": "ada"])
      #expect(page.status == 422)
      #expect(page.text.contains("role=\"alert\""))
      #expect(try await storedAda(magic).name == "Ada")
    }
  }

  // MARK: Deleting

  @Test func deletionFollowsTheDeleteRulesAndDeletesAssets() async throws {
    try await editingTown { served, magic in
      let ada = try await storedAda(magic)
      let asset = try #require(ada.picture?.path)
      #expect(FileManager.default.fileExists(atPath: asset.path))
      let mill = try rowID(try await magic.object(of: Town.Home.self, primary: "mill"))

      let denied = try await served.submit("/type/Home/\(mill)/delete", [:])
      #expect(denied.status == 422)
      #expect(denied.text.contains("so it cannot be deleted"))
      #expect(try await magic.has(of: Town.Home.self, primary: "mill"))

      let person = try await served.submit("/type/Person/\(try rowID(ada))/delete", [:])
      #expect(person.status == 303)
      #expect(person["Location"] == "/type/Person")
      #expect(!FileManager.default.fileExists(atPath: asset.path))

      let account = try rowID(try await firstAccount(magic))
      #expect(try await served.submit("/type/Account/\(account)/delete", [:]).status == 303)
      #expect(try await served.submit("/type/Home/\(mill)/delete", [:]).status == 303)
      let bob = try await magic.object(of: Town.Person.self, primary: "bob")
      #expect(bob.home == nil)
      #expect(try await magic.verify().isSound)
    }
  }

  @Test func objectsOfUnknownTypesAreDeletedByTheRulesInTheFile() async throws {
    try await editingTown([]) { served, magic in
      let ada = try await storedAda(magic)
      let asset = try #require(ada.picture?.path)
      let path = "/type/Person/\(try rowID(ada))"
      let mill = try rowID(try await magic.object(of: Town.Home.self, primary: "mill"))
      #expect(try await served.submit("/type/Home/\(mill)/delete", [:]).status == 422)
      let changed = try await served.form(path + "/delete")
      ada.age = 1
      try await magic.update(ada)
      #expect(try await served.post(changed.action, changed.fields).status == 409)
      #expect(try await served.submit(path + "/delete", [:]).status == 303)
      #expect(try await magic.has(of: Town.Person.self, primary: "ada") == false)
      #expect(!FileManager.default.fileExists(atPath: asset.path))
      #expect(try await magic.verify().isSound)
    }
  }
}
