import Foundation
import MagicCommand
import MagicData
import MagicSQLite
import Testing
import ToolTestSupport

/// `GeneratedTypes.swift` is what `schema --swift` writes for the fixture of format 3, and
/// `GeneratedTypesOfFormat2.swift` what it guesses for the one of format 2, which does not describe its
/// properties.
@Suite struct SwiftSourceTests {
  private static let types: [any MagicObject.Type] = [
    Book.self, City.self, Cupboard.self, Draft.self, Home.self, Knot.self, Ledger.self,
    Library.self, Measure.self, Parcel.self, Person.self, Photo.self, Room.self, Score.self,
    Stamp.self, Street.self, Ticket.self, Twin.self,
  ]

  @Test func theSourceIsTheCompiledFile() async throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("GeneratedTypes.swift")
    try await withDirectory { directory in
      let run = await magic("schema", try Fixture.columns.copy(to: directory), "--swift")
      #expect(run.output == (try String(contentsOf: file, encoding: .utf8)))
    }
  }

  @Test func theGuessedSourceIsTheCompiledFile() async throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("GeneratedTypesOfFormat2.swift")
    try await withDirectory { directory in
      let run = await magic("schema", try Fixture.migrations.copy(to: directory), "--swift")
      let end = try #require(run.output.range(of: "import MagicData\n\n")?.upperBound)
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.hasSuffix("enum FormatTwo {\n\(run.output[end...])}\n"))
    }
  }

  private static let guessedTypes: [any MagicObject.Type] = [
    FormatTwo.Book.self,
    FormatTwo.City.self,
    FormatTwo.Cupboard.self,
    FormatTwo.Draft.self,
    FormatTwo.Home.self,
    FormatTwo.Knot.self,
    FormatTwo.Ledger.self,
    FormatTwo.Library.self,
    FormatTwo.Measure.self,
    FormatTwo.Parcel.self,
    FormatTwo.Person.self,
    FormatTwo.Photo.self,
    FormatTwo.Room.self,
    FormatTwo.Score.self,
    FormatTwo.Stamp.self,
    FormatTwo.Street.self,
    FormatTwo.Ticket.self,
    FormatTwo.Twin.self,
  ]

  /// A name that is not a Swift identifier keeps its column.
  @Test func theGuessedTypesHaveTheColumnsOfTheFile() async throws {
    try await withDirectory { directory in
      let path = try Fixture.migrations.copy(to: directory)
      let database = try await MagicData(path: path, options: MagicOptions(readOnly: true))
      let plan = try await database.migrationPlan(for: Self.guessedTypes)
      #expect(plan.isEmpty, "\(plan)")
      await database.close()
    }
  }

  /// Names of types and properties that would end their declarations.
  @Test func textsOfTheFileAreNoDeclarations() async throws {
    let evil = "Int = 1\n}; func injected() {}; struct X {//"
    // One character of two scalars, whose first is a letter.
    let property = "a\u{D4E}(\u{D4E}\nb"
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("file.sqlite3").path
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        library("name TEXT, count INTEGER, state TEXT, \"\(property)\" TEXT") + """
          INSERT INTO magic_columns VALUES ('Item', 'name', 'name', '\(evil)', 'text', NULL),
            ('Item', 'count', 'count', 'Int', 'integer', NULL),
            ('Item', 'state', 'state', '\(evil)', 'enumeration', '{"cases":["a","b"]}'),
            ('Item', '\(property)', '\(property)', 'Data(', 'text', NULL);
          """)
      connection.close()
      let run = await magic("schema", path, "--swift")
      #expect(run.status == 0)
      #expect(!run.output.contains("injected"))
      let comment = "  // The file names a type that is not valid in Swift."
      #expect(run.output.contains("var name: String?\(comment)\n"))
      #expect(run.output.contains("var count: Int?\n"))
      #expect(run.output.contains("var a\u{D4E}_\u{D4E}_b: String?\(comment)\n"))
    }
  }

  @Test func aColumnDeclaresItsCollation() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("file.sqlite3").path
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        library("name TEXT, mail TEXT, other TEXT") + """
          INSERT INTO magic_columns VALUES
            ('Item', 'name', 'name', 'String', 'text', '{"collation":"localized:de\\"+"}'),
            ('Item', 'mail', 'mail', 'String', 'text', '{"collation":"caseInsensitive"}'),
            ('Item', 'other', 'other', 'String', 'text', '{"collation":"later"}');
          """)
      connection.close()
      let run = await magic("schema", path, "--swift")
      for line in [
        #"@OptionMagicValue(.compared(.localized("de\"+"))) var name: String?"#,
        "@OptionMagicValue(.compared(.caseInsensitive)) var mail: String?",
        "@OptionMagicValue var other: String?",
      ] {
        #expect(run.output.contains("  \(line)\n"), "\(line)")
      }
    }
  }

  @Test func aTypeDeclaresItsSearchIndex() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("file.sqlite3").path
      let database = try await MagicData(path: path)
      try await database.update(SearchedEssay())
      try await database.update(SearchedPart())
      try await database.update(SearchedLine())
      await database.close()
      let output = await magic("schema", path, "--swift").output
      for line in [
        "static var search: MagicSearch { .words(.withAccents, .stemmed(.english)).prefixes(2...4) }",
        "@MagicValue(.searchable) var title: String",
        "@MagicValue var section: String",
        "static var search: MagicSearch { .trigrams }",
        "@MagicValue(.indexed, .searchable) var code: String",
        "@MagicValue(.searchable) var text: String",
      ] {
        #expect(output.contains("  \(line)\n"), "\(line)")
      }
      #expect(output.split(separator: "static var search").count == 3)
    }
  }

  @Test func theTypesHaveTheSchemaOfTheFile() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let database = try await MagicData(path: path, options: MagicOptions(readOnly: true))
      let plan = try await database.migrationPlan(for: Self.types)
      #expect(plan.isEmpty, "\(plan)")
      #expect(try await database.object(of: Person.self).count == 24)
      let home = try await database.object(of: Home.self, primary: "home 1")
      #expect(home.residents.count == 4)
      await database.close()
    }
  }
}

private struct SearchedEssay: MagicObject {
  @MagicValue(.searchable) var title: String = ""
  @MagicValue var section: String = ""
  static var search: MagicSearch { .words(.withAccents, .stemmed(.english)).prefixes(2...4) }
}

private struct SearchedPart: MagicObject {
  @MagicValue(.indexed, .searchable) var code: String = ""
  static var search: MagicSearch { .trigrams }
}

private struct SearchedLine: MagicObject {
  @MagicValue(.searchable) var text: String = ""
}
