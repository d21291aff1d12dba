import Foundation
import MagicInspection
import MagicSQLite
import Testing
import ToolTestSupport

@Suite struct DatabaseTests {
  @Test(arguments: Fixture.allCases)
  func aFileOfEachFormatHasItsTypes(_ fixture: Fixture) throws {
    try fixture.reading { _, database in
      #expect(database.format == fixture.format)
      #expect(database.problems.isEmpty)
      #expect(database.otherTables.isEmpty)
      let person = try database.type(named: "Person")
      #expect(
        person.columns.map(\.property).prefix(5)
          == ["id", "name", "age", "height", "born"])
      #expect(person.isDescribed == (fixture == .columns))
      #expect(person.uniqueColumns.map(\.column) == ["id", "token"])
      #expect(person.labelColumn?.column == "name")
      #expect(try database.type(named: "Measure").table == "Measures, \"big\" & small")
    }
  }

  @Test func partialIndexIdentifiesNoObject() throws {
    let columns = library(
      "code INTEGER, rank INTEGER", properties: [("code", "integer"), ("rank", "integer")])
    let partial = columns + #"CREATE UNIQUE INDEX "some" ON Item (code) WHERE rank > 0;"#
    try reading(partial) { _, database in
      #expect(database.types[0].indexes.map(\.isUnique) == [true])
      #expect(database.types[0].uniqueColumns.isEmpty)
      #expect(!database.types[0].columns.contains { database.types[0].isUnique($0) })
      #expect(database.types[0].labelColumn == nil)
    }
    try reading(partial + #"CREATE UNIQUE INDEX "all" ON Item (rank);"#) { _, database in
      #expect(database.types[0].uniqueColumns.map(\.column) == ["rank"])
      #expect(database.types[0].labelColumn?.column == "rank")
    }
  }

  @Test func aFileOfFormat3DescribesItsForms() throws {
    try Fixture.columns.reading { _, database in
      let person = try database.type(named: "person")
      let forms = Dictionary(
        uniqueKeysWithValues: person.columns.map { ($0.property, $0.form) })
      #expect(forms["born"] == .date)
      #expect(forms["token"] == .uuid)
      #expect(forms["job"] == .json)
      #expect(forms["mood"] == .enumeration)
      #expect(person.columns.allSatisfy { !$0.isGuess })
      #expect(
        person.column(named: "mood")?.cases.map(\.text) == ["merry", "sad as can be", ""])
      #expect(person.column(named: "picture")?.column == "picture of a \"face\"")
      let version = try database.type(named: "Parcel").version
      #expect(version == 3)
    }
  }

  @Test(arguments: [Fixture.values, .migrations])
  func formsOfEarlierFormatsAreGuessed(_ fixture: Fixture) throws {
    try fixture.reading { _, database in
      let person = try database.type(named: "Person")
      let guesses = person.columns.filter(\.isGuess)
      #expect(guesses.count == person.columns.count)
      #expect(person.column(named: "born")?.form == .date)
      #expect(person.column(named: "token")?.form == .uuid)
      #expect(person.column(named: "job")?.form == .json)
      #expect(person.column(named: "height")?.form == .real)
      #expect(try database.type(named: "Ledger").column(named: "isOpen")?.form == .bool)
    }
  }

  @Test func assetsOfEarlierFormatsAreKnown() throws {
    try Fixture.assets.reading { reader, database in
      let photo = try database.type(named: "Photo")
      let image = try #require(photo.column(named: "the image"))
      #expect(image.form == .asset)
      #expect(!image.isGuess)
      let rows = try reader.page(of: photo, RowRequest()).rows
      let index = try #require(photo.columns.firstIndex(of: image))
      let name = try #require(rows.compactMap { $0.values[index].text }.first { !$0.isEmpty })
      let file = try #require(reader.assetFile(named: name))
      #expect(try Data(contentsOf: file).count == AssetName(name)?.size)
    }
  }

  @Test(arguments: Fixture.allCases.dropFirst())
  func relationshipsAreKnownInEveryFormat(_ fixture: Fixture) throws {
    try fixture.reading { _, database in
      let home = try database.type(named: "Home")
      #expect(home.column(named: "city")?.form == .one)
      #expect(home.column(named: "city")?.target == "City")
      let forms = Dictionary(
        uniqueKeysWithValues: home.relationships.map { ($0.property, $0.form) })
      #expect(forms["residents"] == .list)
      #expect(forms["landlords"] == .set)
      #expect(forms["phones"] == .dictionary)
      #expect(forms["parent"] == .one)
      let city = try database.type(named: "City")
      #expect(city.relationship(named: "homes")?.form == (fixture == .columns ? .inverse : nil))
    }
  }

  @Test func sizesAreThoseOfTheFile() throws {
    try Fixture.columns.reading { reader, _ in
      let sizes = try reader.sizes()
      #expect(sizes.file == 417_792)
      #expect(sizes.pages * sizes.pageSize == sizes.file)
      if let objects = sizes.objects {
        #expect(objects["Person"] ?? 0 >= sizes.pageSize)
        #expect(objects.values.reduce(0, +) <= sizes.file)
      }
      #expect(sizes.assets?.files ?? 0 > 10)
    }
  }

  @Test func aFileOfAnotherProgramHasNoTypes() throws {
    try reading("CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t") { reader, database in
      #expect(database.format == nil)
      #expect(database.types.isEmpty)
      #expect(database.otherTables == ["t", "v"])
      let sizes = try reader.sizes()
      #expect(sizes.assets == nil)
    }
  }

  @Test func filesThatCannotBeReadAreErrors() throws {
    try withDirectory { directory in
      func kind(_ name: String) -> InspectionError.Kind? {
        inspectionError {
          _ = try InspectionReader(path: directory.appendingPathComponent(name).path).database()
        }
      }
      let text = directory.appendingPathComponent("text")
      try Data(String(repeating: "no database ", count: 100).utf8).write(to: text)
      try Data().write(to: directory.appendingPathComponent("empty"))
      #expect(kind("missing") == .missingFile)
      #expect(kind("") == .missingFile)
      #expect(kind("text") == .notADatabase)
      #expect(kind("empty") == .notADatabase)
    }
  }

  @Test func aNewerFormatIsRefused() throws {
    let kind = inspectionError {
      try reading(library("a TEXT") + "UPDATE magic_format SET version = 4") { _, _ in }
    }
    #expect(kind == .newerFormat)
  }

  @Test func aDescriptionThatContradictsTheTablesIsReported() throws {
    let sql =
      library("name TEXT, other INTEGER", properties: [("name", "text"), ("other", "one")]) + """
        INSERT INTO magic_relationships VALUES ('Item', 'other', 'one', 'Nothing', 'nullify', NULL);
        INSERT INTO magic_relationships VALUES ('Item', 'list', 'list', 'Item', 'nullify', 'sqlite_master');
        INSERT INTO magic_relationships VALUES ('Item', 'owned', 'owned', 'Item', 'nullify', NULL);
        INSERT INTO magic_columns VALUES ('Item', 'through', NULL, '', 'through', '{"table":"Item","property":"x"}');
        INSERT INTO magic_columns VALUES ('Item', 'inverse', NULL, '', 'inverse', 'no JSON');
        CREATE TABLE Plain (a);
        CREATE VIEW Seen AS SELECT 1 AS z_index;
        INSERT INTO magic_catalogue (table_name, type_name, fingerprint)
          VALUES ('Plain', 'Plain', ''), ('Seen', 'Seen', ''), ('sqlite_master', 'Master', '');
        INSERT INTO Item VALUES (1, 'a', 7);
        """
    try reading(sql) { reader, database in
      #expect(database.types.map(\.name) == ["Item"])
      #expect(database.problems.count == 5)
      let item = database.types[0]
      #expect(item.relationships.isEmpty)
      let object = try reader.object(1, of: item, in: database)
      #expect(object.toOnes.isEmpty)
      #expect(object.collections.isEmpty)
    }
  }

  @Test(arguments: ["\"; DROP TABLE \"Item\"; -- \u{202E}<script>", "a\"\u{301}b DROP"])
  func hostileNamesAreOnlyNames(_ name: String) throws {
    let sql =
      library("name TEXT") + """
        CREATE TABLE \(quoted(name)) (z_index INTEGER PRIMARY KEY, \(quoted(name)) TEXT);
        CREATE UNIQUE INDEX \(quoted(name + " index")) ON \(quoted(name)) (\(quoted(name)));
        INSERT INTO magic_catalogue (table_name, type_name, fingerprint)
          VALUES ('\(name)', '\(name)', '');
        INSERT INTO \(quoted(name)) VALUES (1, '\(name)');
        """
    try reading(sql) { reader, database in
      let type = try database.type(named: name)
      let page = try reader.page(
        of: type, RowRequest(filters: [RowFilter(type.columns[0], .contains, .init(.text("DROP")))])
      )
      #expect(page.rows.map { $0.values[0].text } == [name])
      #expect(try reader.rowIDs(matching: name, in: type) == [1])
      let label = try #require(try reader.reference(to: 1, of: type).label)
      #expect(!label.contains("\u{202E}"))
      #expect(try database.type(named: "Item").name == "Item")
    }
  }

  @Test func anAssetIsNeverAPathOutsideItsFolder() {
    let digits = String(repeating: "a", count: 16)
    #expect(AssetName("\(digits)/\(digits)-1f.png")?.size == 31)
    #expect(AssetName("\(digits)/\(digits)-1f")?.pathExtension == "")
    for name in [
      "", "/etc/passwd", "../\(digits)-1", "\(digits)/../\(digits)-1", "\(digits)/\(digits)-1.",
      "\(digits)/\(digits)-1.a/b", "\(digits)/\(digits)-1.a..b", "\(digits)/\(digits)-",
      "\(digits)/\(digits)-1.é", "\(digits)/\(digits)~", "\(digits)\u{0}/\(digits)-1",
    ] {
      #expect(AssetName(name) == nil, "\(name)")
    }
  }

  @Test func anAssetThatIsASymbolicLinkIsNotOpened() throws {
    try withDirectory { directory in
      let path = directory.appendingPathComponent("file.sqlite3").path
      let connection = try SQLiteConnection(path: path)
      try connection.execute(library("a TEXT"))
      connection.close()
      let digits = String(repeating: "b", count: 16)
      let batch = directory.appendingPathComponent("file.sqlite3-assets/\(digits)")
      try FileManager.default.createDirectory(at: batch, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: batch.appendingPathComponent("\(digits)-1").path, withDestinationPath: "/etc/passwd"
      )
      let reader = try InspectionReader(path: path)
      #expect(reader.assetFile(named: "\(digits)/\(digits)-1") == nil)
    }
  }

  private func quoted(_ name: String) -> String {
    "\"" + name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}
