import Foundation
import MagicBrowser
import MagicData
import Testing
import ToolTestSupport

/// A form does not overwrite what was changed after it was shown.
@Suite struct EditConflictTests {
  @Test func objectThatWasChangedIsNotOverwritten() async throws {
    try await editingTown { served, magic in
      let ada = try await storedAda(magic)
      let form = try await served.form("/type/Person/\(try rowID(ada))/edit")
      ada.age = 99
      ada.note = "Theirs"
      try await magic.update(ada)
      var fields = form.fields
      fields["value.name"] = "Other"
      fields["value.note"] = "Mine"
      let page = try await served.post(form.action, fields)
      #expect(page.status == 409)
      #expect(page.text.contains("was changed after this form was made"))
      // Both have changed the note. Only the user has changed the name, and only others the age.
      #expect(page.text.contains("Stored now: <strong>Theirs</strong>"))
      #expect(!page.text.contains("Stored now: <strong>99</strong>"))
      #expect(try await storedAda(magic).name == "Ada")
      // The user has seen the stored values, and replaces them.
      let again = try #require(PageForm(page.text))
      #expect(again.fields["value.name"] == "Other")
      #expect(again.fields["value.note"] == "Mine")
      #expect(again.fields["value.age"] == "99")
      #expect(try await served.post(again.action, again.fields).status == 303)
      let saved = try await storedAda(magic)
      #expect(saved.name == "Other")
      #expect(saved.note == "Mine")
      #expect(saved.age == 99)
    }
  }

  @Test func changedMembersAreAChange() async throws {
    try await editingTown { served, magic in
      let ada = try await storedAda(magic)
      let form = try await served.form("/type/Person/\(try rowID(ada))/edit")
      ada.friends.insert(try await magic.object(of: Town.Person.self, primary: "bob"))
      try await magic.update(ada)
      #expect(try await served.post(form.action, form.fields).status == 409)
      #expect(try await storedAda(magic).friends.count == 3)
    }
  }

  @Test func deletedObjectIsNotInsertedAgain() async throws {
    try await editingTown { served, magic in
      let bob = try await magic.object(of: Town.Person.self, primary: "bob")
      let path = "/type/Person/\(try rowID(bob))"
      let form = try await served.form(path + "/edit")
      let deletion = try await served.form(path + "/delete")
      try await magic.remove(bob)
      #expect(try await served.post(form.action, form.fields).status == 404)
      #expect(try await served.post(deletion.action, deletion.fields).status == 404)
      #expect(try await served.get(path + "/edit").status == 404)
      #expect(try await magic.has(of: Town.Person.self, primary: "bob") == false)
    }
  }
}
