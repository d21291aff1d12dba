import Foundation
import MagicCommand
import MagicSQLite
import Testing
import ToolTestSupport

@Suite struct SchemaTests {
  @Test(arguments: Fixture.allCases)
  func everyNotationNamesEveryType(_ fixture: Fixture) async throws {
    try await withDirectory { directory in
      let path = try fixture.copy(to: directory)
      for notation in ["--mermaid", "--svg", "--swift"] {
        let run = await magic("schema", path, notation)
        #expect(run.status == 0)
        for name in ["Person", "Measure", "Ledger"] { #expect(run.output.contains(name)) }
      }
    }
  }

  @Test func theSQLCreatesTheSameSchema() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let sql = await magic("schema", path, "--sql").output
      let copy = try SQLiteConnection(path: directory.appendingPathComponent("new.sqlite3").path)
      try copy.execute(sql)
      let count = "SELECT count(*) FROM sqlite_master WHERE sql IS NOT NULL"
      let original = try SQLiteConnection(
        path: path, configuration: SQLiteConfiguration(access: .readOnly))
      #expect(try copy.integer(count) == original.integer(count))
    }
  }

  @Test func theSwiftSourceDeclaresTheTypes() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let source = await magic("schema", path, "--swift").output
      for line in [
        "struct Person: MagicObject {", "  @PrimaryMagicValue var id: String",
        "  @MagicValue(.indexed) var name: String", "  @OptionMagicValue var age: Int?",
        "  @MagicValue(.unique) var token: UUID", "  @OptionMagicValue var job: Job?",
        #"  @MagicValue(.named("picture of a \"face\"")) var picture: Data"#,
        #"  static var indexes: [MagicIndex<Self>] { [MagicIndex(\.$name, \.$age)] }"#,
        #"  @ReverseMagicValue(\Home.$city) var homes: AsyncReverseMagicSet<Home>"#,
        #"  @MagicValue(.named("the street"), .onDelete(.cascade)) var street: Street"#,
        "  @MagicValue(.onDelete(.deny)) var landlords: MagicalSet<Person> = []",
        "// Types that the file names and does not describe: Celsius, Job, Letter, Spot",
        "enum Mood: String, Magical, CaseIterable {", "  case merry = \"merry\"",
      ] {
        #expect(source.split(separator: "\n").contains(Substring(line)), "\(line)")
      }
    }
  }

  @Test func theDrawingHasABoxForEachTypeAndAnArrowForEachRelationship() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let svg = await magic("schema", path, "--svg").output
      #expect(svg.split(separator: "class=\"box\"").count == 19)
      #expect(svg.split(separator: "class=\"arrow\"").count == 23)
      #expect(svg.contains("Cup.board") == false)
      #expect(svg.hasSuffix("</svg>\n"))
    }
  }
}
