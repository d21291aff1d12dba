import MagicSchema
import Testing

private let long = String(repeating: "x", count: 200)

private struct Hostile: MagicObject {
  static var tableName: String { "select \"*\" from 'a b'; -- 👻" }
  @MagicValue(.named("a\"b'c")) var quoted: Int = 1
  @MagicValue(.named("two words")) var spaced: Int = 2
  @MagicValue(.named("SELECT")) var keyword: Int = 3
  @MagicValue(.named("👩‍👩‍👧‍👦")) var emoji: Int = 4
  @MagicValue(.named(long)) var longest: Int = 5
  @MagicValue var `default`: Int = 6
  @MagicValue var größe: Int = 7
  @MagicValue var _hidden: Int = 8
  @MagicValue(.named("magic_column")) var ours: Int = 9
  init() {}
}

@Suite struct NameTests {
  @Test func namesAreUsedUnchanged() throws {
    let schema = try ObjectSchema.of(Hostile.self)
    #expect(schema.tableName == "select \"*\" from 'a b'; -- 👻")
    #expect(
      schema.columns.map(\.name) == [
        "a\"b'c", "two words", "SELECT", "👩‍👩‍👧‍👦", long, "default", "größe", "_hidden", "magic_column",
      ])
    #expect(schema.columns[5].property == "default")
    #expect(schema.columns[7].property == "_hidden")
  }

  @Test func differentIndexesHaveDifferentNames() {
    let names = [
      IndexSchema(table: "t", columns: ["a, b"], isUnique: false),
      IndexSchema(table: "t", columns: ["a", "b"], isUnique: false),
      IndexSchema(table: "t", columns: ["a b"], isUnique: false),
      IndexSchema(table: "t", columns: ["\"a", "b\""], isUnique: false),
      IndexSchema(table: "t", columns: ["a"], isUnique: true),
      IndexSchema(table: "t", columns: ["a) unique"], isUnique: false),
      IndexSchema(table: "t(a", columns: ["b"], isUnique: false),
      IndexSchema(table: "t", columns: ["a(b"], isUnique: false),
    ].map(\.name)
    #expect(Set(names).count == names.count)
  }
}
