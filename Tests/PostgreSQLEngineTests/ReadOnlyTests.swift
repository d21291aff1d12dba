import Foundation
import MagicData
import MagicDataPostgres
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

private struct Duty: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable) var title: String = ""
  @MagicValue var isDone: Bool = false
  static var indexes: [MagicIndex<Duty>] {
    [
      MagicIndex(\.$title, where: { $0.$isDone == false }),
      MagicIndex { $0.$title.asciiLowercased() },
    ]
  }

  init() {}
  init(_ id: Int, _ title: String) { (self.id, self.title) = (id, title) }
}

private struct LongerDuty: MagicObject {
  static var tableName: String { "Duty" }
  @PrimaryMagicValue var id: Int
  @MagicValue var title: String = ""
  @MagicValue var isDone: Bool = false
  @OptionMagicValue var note: String?

  init() {}
}

/// Databases that are opened without writing to them.
@Suite(.requiresPostgreSQL) struct ReadOnlyTests {
  private static func reading(_ schema: String, _ server: PostgreSQLServer) async throws
    -> MagicData
  {
    var options = PostgresOptions(schema: schema, readers: 2)
    options.readOnly = true
    return try await MagicData(postgres: server.information, options: options)
  }

  @Test func aMissingSchemaIsRefused() async throws {
    let server = try PostgreSQLServer.shared.get()
    let error = await #expect(throws: MagicError.self) {
      _ = try await Self.reading("no such schema", server)
    }
    #expect(error?.code == .cannotOpen)
  }

  /// The server reads a schema without the right as if it did not exist.
  @Test func aSchemaThatTheRoleMayNotUseIsNamed() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Duty(1, "first"))
    await magic.close()
    let role = "stranger_\(schema.name.filter(\.isHexDigit).lowercased())"
    try schema.run("CREATE ROLE \(role) LOGIN")
    try schema.run("ALTER ROLE \(role) SET search_path = '$user', \"\(schema.name)\"")
    let information = "host=\(schema.server.directory) user=\(role) dbname=postgres"
    for (name, readOnly) in [
      (schema.name, true), (nil, true), (schema.name, false), (nil, false),
    ] {
      var options = PostgresOptions(schema: name, readers: 1)
      options.readOnly = readOnly
      let error = await #expect(throws: MagicError.self) {
        _ = try await MagicData(postgres: information, options: options)
      }
      #expect(error?.code == .cannotOpen)
      #expect(error?.message.contains("no right to use the schema \(schema.name)") ?? false)
    }
  }

  /// The copy does not know the indexes over expressions and the partial ones, which reading does not need.
  @Test func aCopiedTypeWithComputedIndexesIsRead() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("duties.sqlite3").path
    let file = try await MagicData(path: path)
    try await file.update(contentsOf: [Duty(1, "first"), Duty(2, "second")])
    await file.close()
    let schema = try TestSchema()
    try await MagicData.copy(
      from: .file(path), to: .postgres(schema.server.information, schema: schema.name))
    let magic = try await Self.reading(schema.name, schema.server)
    #expect(try await magic.object(of: Duty.self).map(\.title) == ["first", "second"])
    #expect(try await magic.query(Duty.self).where(\.$isDone == false).count() == 2)
    await magic.close()
    let writing = try await schema.openMagicData()
    #expect(try await writing.query(Duty.self).matching("second").count() == 1)
    #expect(try await writing.migrationPlan(for: Duty.self).isEmpty)
    await writing.close()
  }

  @Test func aTypeWithAColumnThatTheTableLacksIsRefused() async throws {
    let schema = try TestSchema()
    let writing = try await schema.openMagicData()
    try await writing.update(Duty(1, "first"))
    await writing.close()
    let magic = try await Self.reading(schema.name, schema.server)
    let error = await #expect(throws: MagicError.self) {
      _ = try await magic.object(of: LongerDuty.self)
    }
    #expect(error?.code == .readOnly || error?.code == .needsMigration)
    await magic.close()
  }
}
