import Foundation
import MagicBrowser
import MagicData
import Testing
import ToolTestSupport

/// Only forms of the server's own pages change the database.
@Suite struct FormSecurityTests {
  private func form(_ body: (Served, PageForm, MagicData) async throws -> Void) async throws {
    try await editingTown { served, magic in
      let ada = try await magic.object(of: Town.Person.self, primary: "ada")
      let row = try #require(ada.zIndex?.rawValue)
      var form = try await served.form("/type/Person/\(row)/edit")
      form.fields["value.name"] = "Eve"
      try await body(served, form, magic)
    }
  }

  private func name(_ magic: MagicData) async throws -> String {
    try await magic.object(of: Town.Person.self, primary: "ada").name
  }

  @Test(arguments: [
    (["Origin": ""], 403), (["Origin": "http://example.com"], 403), (["Origin": "null"], 403),
    (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
    (["Sec-Fetch-Site": "none"], 403), (["Cookie": ""], 403), (["Host": "example.com"], 421),
    (["Content-Type": "text/plain"], 415), (["Content-Type": "multipart/form-data"], 415),
  ])
  func formsOfOtherSitesAreRefused(_ headers: [String: String], _ status: Int) async throws {
    try await form { served, form, magic in
      let page = try await served.post(form.action, form.fields, headers)
      #expect(page.status == status)
      #expect(try await name(magic) == "Ada")
      #expect(try await served.post(form.action, form.fields).status == 303)
      #expect(try await name(magic) == "Eve")
    }
  }

  @Test func formsNeedTheirToken() async throws {
    try await form { served, form, magic in
      for token in [nil, "", served.token, String((form.fields["token"] ?? "").reversed())] {
        var fields = form.fields
        fields["token"] = token
        #expect(try await served.post(form.action, fields).status == 400)
      }
      // The token of the address does not replace the cookie.
      let page = try await served.post(
        form.action + "?token=\(served.token)", form.fields, ["Cookie": ""])
      #expect(page.status == 403)
      #expect(try await name(magic) == "Ada")
    }
  }

  @Test func getChangesNothing() async throws {
    try await form { served, form, magic in
      let parameters = form.fields.map { "\($0.key)=Eve" }.joined(separator: "&")
      _ = try await served.get(form.action + "?" + parameters)
      _ = try await served.get(form.action.replacing("/edit", with: "/delete") + "?" + parameters)
      #expect(try await name(magic) == "Ada")
    }
  }

  @Test func largeBodiesAreRefusedBeforeTheyAreRead() async throws {
    try await form { served, form, magic in
      let page = try await served.post(
        form.action, form.fields, ["Content-Length": String(9 << 20)])
      #expect(page.status == 413)
      #expect(try await name(magic) == "Ada")
    }
  }

  @Test func pagesThatOnlyReadHaveNoForms() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        #expect(try await served.get("/type/Person/1/edit").status == 404)
        #expect(try await served.get("/type/Person/1/delete").status == 404)
        #expect(try await served.get("/type/Person/new").status == 404)
        #expect(try await served.get("/type/Person/1").text.contains("/edit") == false)
        #expect(try await served.post("/type/Person/1/edit", ["value.name": "Eve"]).status == 405)
      }
    }
  }

  @Test func hostileTextsStayTexts() async throws {
    try await form { served, form, magic in
      var fields = form.fields
      fields["value.name"] = "</textarea><script>alert(1)</script>"
      fields["value.age"] = "\"><script>alert(1)</script>"
      let page = try await served.post(form.action, fields)
      #expect(page.status == 422)
      #expect(!page.text.contains("<script>alert"))
      #expect(PageForm(page.text)?.fields["value.name"] == fields["value.name"])
    }
  }
}
