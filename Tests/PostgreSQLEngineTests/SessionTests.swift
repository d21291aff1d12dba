import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// Settings of the user, the role or the server that differ from the defaults.
@Suite(.requiresPostgreSQL, .serialized) struct SessionTests {
  @Test func transactionsDoNotInheritTheirIsolation() throws {
    let schema = try TestSchema()
    let store = try MagicObjectStore.open(
      postgres: schema.server.information
        + " options='-c default_transaction_isolation=repeatable\\\\ read "
        + "-c default_transaction_read_only=on'",
      options: PostgresOptions(schema: schema.name))
    defer { store.close() }
    try store.update(City("Oslo"))
    try store.transaction { transaction in
      #expect(try transaction.object(of: City.self).count == 1)
      try schema.run("DELETE FROM \"City\"")
      #expect(try transaction.object(of: City.self).isEmpty)
    }
  }

  @Test func nothingEqualsNULL() throws {
    let schema = try TestSchema()
    let store = try MagicObjectStore.open(
      postgres: schema.server.information + " options='-c transform_null_equals=on'",
      options: PostgresOptions(schema: schema.name))
    defer { store.close() }
    try store.update(City("Oslo"))
    let names = try store.sql(
      "SELECT name FROM \(table: City.self) WHERE code = \(String?.none)"
    ).rows(String.self)
    #expect(names.isEmpty)
  }

  @Test func allConnectionsUseTheSchemaOfTheCatalogue() throws {
    let server = try PostgreSQLServer.shared.get()
    let number = UUID().uuidString.prefix(8).lowercased()
    let (first, empty) = ("first_\(number)", "empty_\(number)")
    let store = try MagicObjectStore.open(
      postgres: server.information, options: PostgresOptions(schema: first))
    try server.connect().execute("CREATE SCHEMA \(empty)")
    let other = try MagicObjectStore.open(
      postgres: server.information
        + " options='-c search_path=missing,\(empty),\(first) -c lock_timeout=50ms'")
    try store.transaction { transaction in
      try transaction.update(City("Oslo"))
      #expect(code { try other.update(City("Rome")) } == .busy)
    }
    try other.update(Match("Oslo"))
    #expect(try store.object(of: Match.self).count == 1)
    #expect(try other.object(of: City.self).count == 1)
    let tables = try server.connect().execute(
      "SELECT FROM pg_tables WHERE schemaname = '\(empty)'")
    #expect(tables.count == 0)
    store.close()
    other.close()
  }

  @Test func aSearchPathWithoutASchemaIsReported() throws {
    let information = try PostgreSQLServer.shared.get().information
    #expect(
      code {
        _ = try MagicObjectStore.open(
          postgres: information + " options='-c search_path=missing'")
      } == .cannotOpen)
  }

  @Test func anEmptyFormatIsNotANewerOne() throws {
    let schema = try TestSchema()
    try schema.open().close()
    try schema.run("DELETE FROM magic_format")
    #expect(code { _ = try schema.open() } == .cannotOpen)
  }

  @Test func connectionsAreOpenedAgainWhenTheServerAcceptsNoWrites() throws {
    let schema = try TestSchema()
    let opened = Recorder<String>()
    var options = PostgresOptions(schema: schema.name, readers: 1)
    options.trace = { sql in
      if sql.hasPrefix("SET client_encoding") { opened.note(sql) }
    }
    let store = try MagicObjectStore.open(postgres: schema.server.information, options: options)
    defer { store.close() }
    try store.update(City("Oslo"))
    _ = try store.object(of: City.self)
    try schema.run(
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION USING ERRCODE = ''25006''; END';
      CREATE TRIGGER refuse BEFORE INSERT ON "City" EXECUTE FUNCTION refuse()
      """)
    let before = opened.count
    #expect(code { try store.update(City("Rome")) } == .readOnly)
    try schema.run("DROP TRIGGER refuse ON \"City\"")
    #expect(try store.object(of: City.self).count == 1)
    try store.update(City("Rome"))
    #expect(opened.count == before + 2)
  }
}
