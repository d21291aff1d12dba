import Foundation
import MagicBrowser
import MagicData
import Testing
import ToolTestSupport

/// The fields of a form in a page, as a web browser would send them.
struct PageForm {
  var fields: [String: String] = [:]
  /// The address to which it is sent.
  var action = ""

  /// Reads the form of a page that is sent by POST; nil if there is none.
  init?(_ page: String) {
    guard
      let form = page.firstMatch(
        of: #/<form action="([^"]*)" method="post"[^>]*>(.*?)</form>/#.dotMatchesNewlines())
    else { return nil }
    action = Self.plain(form.output.1)
    let text = String(form.output.2)
    for input in text.matches(of: #/<input([^>]*)>/#) {
      let attributes = String(input.output.1)
      guard let name = Self.attribute("name", attributes) else { continue }
      if attributes.contains("type=\"checkbox\""), !attributes.contains(" checked") { continue }
      fields[name] = Self.attribute("value", attributes) ?? ""
    }
    for area in text.matches(of: #/<textarea([^>]*)>(.*?)</textarea>/#.dotMatchesNewlines()) {
      guard let name = Self.attribute("name", String(area.output.1)) else { continue }
      var content = Self.plain(area.output.2)
      // As in HTML, a line break at the beginning is not part of the text.
      if content.hasPrefix("\n") { content.removeFirst() }
      fields[name] = content.replacing("\n", with: "\r\n")
    }
    for select in text.matches(of: #/<select([^>]*)>(.*?)</select>/#.dotMatchesNewlines()) {
      guard let name = Self.attribute("name", String(select.output.1)),
        let choice = select.output.2.firstMatch(of: #/<option value="([^"]*)" selected>/#)
      else { continue }
      fields[name] = Self.plain(choice.output.1)
    }
  }

  private static func attribute(_ name: String, _ text: String) -> String? {
    guard let start = text.range(of: " \(name)=\"")?.upperBound,
      let end = text[start...].firstIndex(of: "\"")
    else { return nil }
    return plain(text[start..<end])
  }

  private static func plain(_ text: Substring) -> String {
    String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing(
      "&quot;", with: "\""
    )
    .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}

extension Served {
  /// Reads the form at an address.
  func form(_ path: String) async throws -> PageForm {
    let page = try await get(path)
    guard let form = PageForm(page.text) else { throw ExchangeError.noResponse }
    return form
  }

  /// Sends a form as the user's web browser does.
  func post(
    _ path: String, _ fields: [String: String], _ headers: [String: String] = [:]
  ) async throws -> Exchange {
    let allowed = CharacterSet.alphanumerics
    func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
    let body = fields.sorted { $0.key < $1.key }
      .map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
    let all = [
      "Host": "127.0.0.1:\(port)", "Connection": "close", "Cookie": cookie,
      "Origin": "http://127.0.0.1:\(port)", "Content-Length": String(body.utf8.count),
      "Content-Type": "application/x-www-form-urlencoded",
    ].merging(headers) { $1 }
    let head = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
    return try await onThread { [port] in
      let connection = try Connection(port: port)
      connection.write("POST \(path) HTTP/1.1\r\n\(head)\r\n\(body)")
      return try Exchange(connection.readAll())
    }
  }

  /// Opens the form at an address, changes some fields, and sends it.
  func submit(_ path: String, _ changes: [String: String]) async throws -> Exchange {
    let form = try await form(path)
    var fields = form.fields.merging(changes) { $1 }
    // The script of the page does that when a text is typed.
    for (name, value) in changes where name.hasPrefix("value.") && !value.isEmpty {
      fields["null." + name.dropFirst(6)] = nil
    }
    return try await post(form.action, fields)
  }
}

/// The row ID of a saved object.
func rowID<Model: MagicObject>(_ object: Model) throws -> Int64 {
  try #require(object.zIndex?.rawValue)
}

func storedAda(_ magic: MagicData) async throws -> Town.Person {
  try await magic.object(of: Town.Person.self, primary: "ada")
}

func firstAccount(_ magic: MagicData) async throws -> Town.Account {
  try #require(try await magic.query(Town.Account.self).where { $0.$number == 1 }.all().first)
}

/// Calls the body with a browser that edits an open database of people.
func editingTown(
  _ types: [any MagicObject.Type] = [Town.Person.self, Town.Home.self, Town.Account.self],
  _ body: (Served, MagicData) async throws -> Void
) async throws {
  try await withDirectory { directory in
    let magic = try await MagicData(path: directory.appendingPathComponent("town.sqlite3").path)
    try await Town.fill(magic)
    let account = Town.Account()
    account.number = 1
    account.owner = try await magic.object(of: Town.Home.self, primary: "mill")
    try await magic.update(account)
    let browser = MagicBrowser(magic, editing: types)
    let served = Served(try await browser.start())
    do {
      try await body(served, magic)
      await browser.stop()
      await magic.close()
    } catch {
      await browser.stop()
      await magic.close()
      throw error
    }
  }
}

extension Town {
  /// A type with a version, a unique value, values with all their digits, an owned list, and an owner
  /// that cannot be deleted.
  struct Account: MagicObject {
    @MagicValue(.unique) var number: Int = 0
    @MagicVersion var version: Int
    @MagicValue var balance: Decimal = 0
    @MagicValue var level: Int8 = 1
    @MagicValue var rate: Double = 0.5
    @MagicValue var key: UUID = UUID(uuidString: "00000000-0000-0000-0000-000000000001") ?? UUID()
    @OptionMagicValue var site: URL?
    @OptionMagicValue var text: String?
    @OptionMagicValue(.onDelete(.deny)) var owner: Home?
    @MagicValue var people: [Person] = []

    init() {}
  }

  /// A type with values that the program alone knows, and with an amount.
  struct Item: MagicObject {
    @MagicValue(.unique) var price: Decimal = 0
    @MagicValue var cost: MagicMoney<MagicCents> = .zero
    @MagicValue var temper: Temper = .calm
    @OptionMagicValue var place: Place?

    init() {}
  }

  enum Temper: String, Magical { case calm, wild }

  struct Place: MagicalCodable, Equatable { let street: String }

  /// A type whose primary the database assigns, with a property without a default value.
  struct Ticket: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var title: String

    init() {}
  }
}
