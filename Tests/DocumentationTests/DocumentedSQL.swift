import Foundation
import MagicData
import Testing

private struct Branch: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var parent: Branch?

  init() {}
}

/// The tables of SQL beside Swift in README and in the article on queries. Each row is run in both forms, and this
/// file has each form word for word.
@Suite struct DocumentedSQL {
  private static let file = URL(fileURLWithPath: #filePath)

  private func world() async throws -> MagicData {
    let magic = try await MagicData(type: .temporary)
    let people = [("Ada", 36), ("Bob", 17), ("Eve", 36), ("Dora", 70)].map { name, age in
      let person = Person(name: name)
      person.age = age
      return person
    }
    people[0].petName = "Rex"
    let playlists = ["Morning", "Evening"].map { name in
      let playlist = Playlist()
      playlist.name = name
      playlist.owner = people[name == "Morning" ? 0 : 1]
      return playlist
    }
    let sale = Sale()
    (sale.customer, sale.seller) = ("Ada", "Bob")
    sale.date = try Date("2024-05-01T12:00:00Z", strategy: .iso8601)
    sale.items = [("Tea", 4.0, 2), ("Tea", 6, 1), ("Wine", 20, 5)].map {
      category, price, quantity in
      let item = Item()
      (item.category, item.price, item.quantity) = (category, price, quantity)
      return item
    }
    let worker = Worker()
    (worker.skills, worker.job) = (["Swift", "C"], Job(title: "Engineer", salary: 100))
    try await magic.update(contentsOf: people)
    try await magic.update(contentsOf: playlists)
    try await magic.update(sale)
    try await magic.update(contentsOf: [worker, Worker()])
    return magic
  }

  @Test func bothFormsFindTheSameRows() async throws {
    let magic = try await world()
    func expect(_ sql: MagicSQL, _ count: Int) async throws {
      #expect(try await magic.sql(sql).rows().count == count, "\(sql)")
      #expect(count > 0, "\(sql)")
    }

    let people = magic.query(Person.self)
    let items = magic.query(Item.self)
    let sales = magic.query(Sale.self)
    let playlists = magic.query(Playlist.self)
    let workers = magic.query(Worker.self)

    try await expect(
      "SELECT * FROM Person WHERE age >= 18 AND petName IS NULL",
      people.where(\.$age >= 18 && \.$petName == nil).all().count)
    try await expect(
      "SELECT * FROM Person WHERE age < 18 OR NOT name = 'Ada'",
      people.where(\.$age < 18 || !(\.$name == "Ada")).all().count)
    try await expect(
      "SELECT * FROM Person WHERE name IN ('Bob', 'Eve')",
      people.where { $0.$name.in(["Bob", "Eve"]) }.all().count)
    try await expect(
      "SELECT * FROM Person WHERE age BETWEEN 18 AND 65",
      people.where { $0.$age.in(18...65) }.all().count)
    try await expect(
      "SELECT * FROM Person WHERE name LIKE '%d%'",
      people.where { $0.$name.like("%d%") }.all().count)
    try await expect(
      "SELECT * FROM Person ORDER BY age DESC, name LIMIT 10 OFFSET 2",
      people.order(by: \.$age, .descending).order(by: \.$name).limit(10).offset(2).all().count)
    try await expect(
      "SELECT name, age FROM Person", people.select(\.$name, \.$age).all().count)
    try await expect(
      "SELECT DISTINCT age FROM Person", people.select(\.$age).distinct().all().count)
    try await expect(
      "SELECT upper(name) || '!', coalesce(petName, 'none') FROM Person",
      people.select { ($0.$name.uppercased() + "!", $0.$petName ?? "none") }.all().count)
    try await expect(
      "SELECT CASE WHEN age < 18 THEN 'minor' ELSE 'adult' END FROM Person",
      people.select { MagicExpression.when($0.$age < 18, then: "minor", else: "adult") }.all().count
    )
    #expect(
      try await magic.sql("SELECT count(*) FROM Person WHERE age > 30").rows(Int.self).first
        == people.where(\.$age > 30).count())
    #expect(
      try await magic.sql("SELECT sum(price * quantity) FROM Item").rows(Double.self).first
        == items.sum { $0.$price * $0.$quantity.as(Double.self) })
    try await expect(
      "SELECT age, count(*) FROM Person GROUP BY age HAVING count(*) > 1",
      people.grouped(by: \.$age).having { $0.count > 1 }.count().count)
    try await expect(
      "SELECT category, max(price) FROM Item GROUP BY category ORDER BY max(price) DESC LIMIT 3",
      items.grouped(by: \.$category).order(.descending) { $0.max(\.$price) }.limit(3).max(\.$price)
        .count)
    try await expect(
      "SELECT category, count(DISTINCT quantity) FROM Item GROUP BY category",
      items.grouped(by: \.$category).select { $0.count(distinct: \.$quantity) }.all().count)
    try await expect(
      "SELECT * FROM Sale WHERE strftime('%Y', date + 978307200, 'unixepoch') = '2024'",
      sales.where { $0.$date.year == 2024 }.all().count)
    try await expect(
      "SELECT l.* FROM Playlist AS l JOIN Person AS p ON p.z_index = l.owner WHERE p.name = 'Ada'",
      playlists.where(\.$owner.$name == "Ada").all().count)
    try await expect(
      "SELECT * FROM Person AS p WHERE EXISTS (SELECT 1 FROM Playlist WHERE owner = p.z_index)",
      people.where { person in MagicQuery(Playlist.self).exists { $0.$owner == person } }.all()
        .count)
    try await expect(
      "SELECT * FROM Playlist WHERE owner IN (SELECT z_index FROM Person WHERE age >= 18)",
      playlists.where { $0.$owner.in(MagicQuery(Person.self).where(\.$age >= 18)) }.all().count)
    try await expect(
      "SELECT * FROM Item WHERE price > (SELECT avg(price) FROM Item)",
      items.where { $0.$price > MagicQuery(Item.self).average(\.$price) }.all().count)
    try await expect(
      "SELECT * FROM Worker WHERE json_extract(CAST(job AS TEXT), '$.title') = 'Engineer'",
      workers.where { $0.$job[json: "title", as: String.self] == "Engineer" }.all().count)
    try await expect(
      "SELECT * FROM Worker WHERE EXISTS (SELECT 1 FROM json_each(CAST(skills AS TEXT)) WHERE value LIKE 'S%')",
      workers.where { $0.$skills.contains { $0.hasPrefix("S") } }.all().count)
  }

  @Test func bothFormsFindTheSamePagesWindowsAndDescendants() async throws {
    let magic = try await world()
    let (root, leaf) = (Branch(), Branch())
    (root.name, leaf.name, leaf.parent) = ("root", "leaf", root)
    try await magic.update(root, leaf)
    func expect(_ sql: MagicSQL, _ count: Int) async throws {
      #expect(try await magic.sql(sql).rows().count == count, "\(sql)")
      #expect(count > 0, "\(sql)")
    }
    let people = magic.query(Person.self)
    let branches = magic.query(Branch.self)
    let cursor = try #require(try await people.order(by: \.$name).page(limit: 2).next)

    try await expect(
      "SELECT name, rank() OVER (ORDER BY age DESC) FROM Person",
      people.select { ($0.$name, $0.rank(over: .order(by: $0.$age, .descending))) }.all().count)
    try await expect(
      "SELECT * FROM Person WHERE age < 18 UNION SELECT * FROM Person WHERE petName = 'Rex'",
      people.where(\.$age < 18).union(MagicQuery(Person.self).where(\.$petName == "Rex")).all()
        .count)
    try await expect(
      "SELECT * FROM Person WHERE (name, z_index) > ('Bob', 2) ORDER BY name, z_index LIMIT 2",
      people.order(by: \.$name).page(after: cursor, limit: 2).objects.count)
    try await expect(
      "WITH RECURSIVE below AS (SELECT 1 AS id UNION SELECT z_index FROM Branch, below WHERE parent = id) SELECT * FROM Branch WHERE z_index IN below AND z_index <> 1",
      branches.descendants(of: root, by: \.$parent).all().count)
  }

  @Test func bothFormsChangeTheSameRows() async throws {
    let (first, second) = (try await world(), try await world())
    let people = first.query(Person.self)

    let updated = try await people.where(\.$age < 18).update(set: \.$age += 1)
    try await second.sql("UPDATE Person SET age = age + 1 WHERE age < 18").run()
    #expect(updated == 1)
    let deleted = try await people.where(\.$name == "Eve").delete()
    try await second.sql("DELETE FROM Person WHERE name = 'Eve'").run()
    #expect(deleted == 1)
    for magic in [first, second] {
      let left = try await magic.query(Person.self).order(by: \.$name).select(\.$name, \.$age).all()
      #expect(left.map(\.0) == ["Ada", "Bob", "Dora"])
      #expect(left.map(\.1) == [36, 18, 70])
    }
  }

  /// The forms of the tables without white space, which the layout of this file adds.
  @Test(arguments: ["README.md", "Modules/MagicData/MagicData.docc/Queries.md"])
  func everyRowOfTheTableIsCompiled(document: String) throws {
    let root = Self.file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    let section =
      text.components(separatedBy: "### SQL beside Swift").last?
      .components(separatedBy: "\n### ").first ?? ""
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count >= 20)
    func dense(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }
    let source = dense(try String(contentsOf: Self.file, encoding: .utf8))
    for row in rows {
      let cells = row.replacingOccurrences(of: "\\|", with: "\u{0}").split(separator: "|").map {
        $0.replacingOccurrences(of: "\u{0}", with: "|")
          .trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
      for cell in cells { #expect(source.contains(dense(cell)), "\(cell)") }
    }
  }
}
