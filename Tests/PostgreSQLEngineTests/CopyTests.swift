import CopySupport
import Foundation
import MagicAssets
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicRuntime
import MagicSQLite
import MagicStore
import MagicTestSupport
import PostgreSQLEngine
import PostgreSQLTestSupport
import Testing

/// Copies of databases between the engines.
@Suite(.requiresPostgreSQL) struct CopyTests {
  private let directory: TemporaryDirectory
  private let file: String

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.file("source.sqlite3").path
  }

  private func location(_ schema: TestSchema) -> MagicDatabaseLocation {
    .postgres(schema.server.information, schema: schema.name)
  }

  private func makeSource() async throws {
    let magic = try await MagicData(path: file)
    try await CopiedDatabase.fill(magic)
    await magic.close()
  }

  @Test func aFileIsCopiedToAServerAndBack() async throws {
    try await makeSource()
    let before = try DatabaseDump(of: file)
    let schema = try TestSchema()
    let summary = try await MagicData.copy(from: .file(file), to: location(schema))
    #expect(summary.rows == CopiedDatabase.texts.count + 2 + 5 + 2)
    #expect(summary.assets == 2 && summary.assetBytes == CopiedDatabase.sound.count)
    #expect(summary.incompleteTypes.isEmpty)

    let back = directory.file("back.sqlite3").path
    let second = try await MagicData.copy(from: location(schema), to: .file(back))
    #expect(second.tables == summary.tables && second.members == summary.members)
    #expect(second.incompleteTypes.isEmpty)
    // The identifier of a database is its own. The search index of the copy is filled when it is
    // first used.
    let differences = try DatabaseDump(of: back).differences(from: before).filter {
      !$0.contains("magic_search(") && $0 != "table magic_format"
    }
    #expect(differences.isEmpty, "\(differences)")

    for place in [back, file] {
      let magic = try await MagicData(path: place)
      #expect(try await magic.migrationPlan(for: [Band.self, Sample.self]).isEmpty)
      try await CopiedDatabase.check(magic)
      #expect(try await magic.query(Band.self).matching("Two").all().map(\.name) == ["Two"])
      await magic.close()
    }
    let magic = try await schema.openMagicData()
    #expect(try await magic.migrationPlan(for: [Band.self, Sample.self]).isEmpty)
    try await CopiedDatabase.check(magic)
    await magic.close()
  }

  @Test func aDatabaseThatBeganOnAServerIsCopiedToAFileAndToAnotherSchema() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await CopiedDatabase.fill(magic)
    await magic.close()
    let other = try TestSchema()
    try await MagicData.copy(from: location(schema), to: location(other))
    let counting = try await other.openMagicData()
    let (band, tour) = (Band("Four"), Tour(isOver: false))
    band.tours = [tour]
    try await counting.update(band)
    #expect(band.id == 4)
    #expect(tour.number == 4)
    try await counting.remove(band)
    try await counting.remove(tour)
    await counting.close()
    let third = directory.file("third.sqlite3").path
    let summary = try await MagicData.copy(from: location(other), to: .file(third))
    // The server does not describe owned lists and search indexes.
    #expect(summary.incompleteTypes.contains("Band"))
    let moved = try await MagicData(path: third)
    #expect(try await moved.object(of: Band.self).map(\.name) == ["One", "Two"])
    try await moved.migrate(Band.self)
    let bands = try await moved.object(of: Band.self)
    #expect(bands[0].songs.map(\.title) == ["Song 2", "Song 0", "Song 1"])
    #expect(try bands[0].songs[1].sound?.load() == CopiedDatabase.sound)
    #expect(try await moved.query(Band.self).matching("Two").all().map(\.name) == ["Two"])
    #expect(try await moved.verify().isSound)
    let new = Band("New")
    try await moved.update(new)
    #expect(new.id > 4)
    await moved.close()
  }

  @Test func aDestinationThatIsNotEmptyIsRefused() async throws {
    try await makeSource()
    let schema = try TestSchema()
    let other = try TestSchema()
    let magic = try await other.openMagicData()
    // A catalogue without types is empty.
    try await MagicData.copy(from: .file(file), to: location(other))
    await magic.close()
    await expect(.tableConflict) {
      try await MagicData.copy(from: .file(file), to: location(other))
    }
    try await MagicData.copy(from: location(other), to: location(schema))
    await expect(.fileExists) {
      try await MagicData.copy(from: location(schema), to: .file(file))
    }
    await expect(.cannotOpen) {
      try await MagicData.copy(
        from: .file(file + " missing"), to: .file(directory.file("new").path))
    }
    await expect(.notADatabase) {
      try await MagicData.copy(
        from: location(try TestSchema()), to: .file(directory.file("new").path))
    }
    #expect(!FileManager.default.fileExists(atPath: directory.file("new").path))
  }

  @Test(arguments: [
    "COPY magic_asset_data", "COPY \"Sample\"", "ADD PRIMARY KEY", "COMMIT",
  ])
  func aCutConnectionLeavesTheDestinationEmpty(_ message: String) async throws {
    try await makeSource()
    let schema = try TestSchema()
    let proxy = try PostgreSQLProxy(schema.server)
    defer { proxy.stop() }
    let information = "host=\(proxy.directory) user=magic dbname=postgres"
    // The isolation level READ COMMITTED also contains the word.
    let isCommit = message == "COMMIT"
    proxy.arm(.loseMessage, at: isCommit ? "COMMIT\u{0}" : message)
    do {
      try await MagicData.copy(
        from: .file(file), to: .postgres(information, schema: schema.name))
      Issue.record("The connection was not cut.")
    } catch {
      let error = error as? MagicError
      #expect(error?.code == (isCommit ? .uncertain : .connectionLost))
      #expect(error?.message.contains("repeat the copy") == isCommit)
    }
    #expect(
      try schema.run("SELECT to_regclass('\"\(schema.name)\".magic_types')").isNull(0, 0))
    // The same call then succeeds.
    try await MagicData.copy(from: .file(file), to: location(schema))
  }

  @Test func aCancelledCopyLeavesNothing() async throws {
    try await makeSource()
    let schema = try TestSchema()
    try await MagicData.copy(from: .file(file), to: location(schema))
    let back = directory.file("back.sqlite3").path
    let task = Task {
      try await MagicData.copy(from: location(schema), to: .file(back)) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(left.filter { $0.hasPrefix("back") }.isEmpty)
  }

  @Test func valuesThatTheDestinationCannotStoreAreNamed() async throws {
    try await makeSource()
    let magic = try await MagicData(path: file)
    try await magic.update(City("Oslo"))
    await magic.close()
    let connection = try SQLiteConnection(path: file)
    try connection.execute("UPDATE City SET population = 'many'")
    connection.close()
    let schema = try TestSchema()
    do {
      try await MagicData.copy(from: .file(file), to: location(schema))
      Issue.record("A value of another type was copied.")
    } catch let error as MagicError {
      #expect(error.code == .cannotEncode)
      #expect(error.type == "City" && error.property == "population")
    }
    #expect(
      try schema.run("SELECT to_regclass('\"\(schema.name)\".magic_types')").isNull(0, 0))
  }

  @Test func aNumberThatIsNaNIsCopiedBitForBitOrRefused() async throws {
    try await makeSource()
    let (schema, other) = (try TestSchema(), try TestSchema())
    try await MagicData.copy(from: .file(file), to: location(schema))
    // Another program has written it, with bits of its own.
    let bits: [UInt64] = [0x7FF8_0000_0000_0001, 0xFFF8_1234_5678_9ABC]
    let set = PostgreSQLStatement(
      "UPDATE \"Sample\" SET real = $1 WHERE z_index = $2", [.float8, .bigint])
    let connection = try schema.server.connect()
    defer { connection.close() }
    try connection.execute("SET search_path TO \"\(schema.name)\"")
    for (index, bits) in bits.enumerated() {
      let fields = PostgreSQLFields()
      fields.append(real: Double(bitPattern: bits))
      fields.append(integer: Int64(index + 1))
      #expect(try connection.run(set, fields).affectedCount == 1)
    }
    try await MagicData.copy(from: location(schema), to: location(other))
    try connection.execute("SET search_path TO \"\(other.name)\"")
    let select = PostgreSQLStatement(
      "SELECT real FROM \"Sample\" WHERE z_index <= 2 ORDER BY z_index")
    let copied = try connection.run(select)
    #expect((0..<copied.count).map { copied.real($0, 0).bitPattern } == bits)

    let back = directory.file("back.sqlite3").path
    do {
      try await MagicData.copy(from: location(other), to: .file(back))
      Issue.record("SQLite has no NaN.")
    } catch let error as MagicError {
      #expect(error.code == .cannotEncode)
      #expect(error.type == "Sample" && error.property == "real")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(left.filter { $0.hasPrefix("back") }.isEmpty)
  }

  @Test func aTextThatIsNotUTF8IsRefused() async throws {
    try await makeSource()
    let magic = try await MagicData(path: file)
    try await magic.update(City("Oslo"))
    await magic.close()
    let connection = try SQLiteConnection(path: file)
    try connection.execute("UPDATE City SET name = CAST(x'FFFE41' AS TEXT)")
    connection.close()
    let schema = try TestSchema()
    do {
      try await MagicData.copy(from: .file(file), to: location(schema))
      Issue.record("A text that is not UTF-8 was copied.")
    } catch let error as MagicError {
      #expect(error.code == .cannotEncode)
      #expect(error.type == "City")
    }
    #expect(
      try schema.run("SELECT to_regclass('\"\(schema.name)\".magic_types')").isNull(0, 0))
  }

  @Test func aConnectionThatIsLostWhileAnAssetIsReadIsNamed() async throws {
    try await makeSource()
    let schema = try TestSchema()
    try await MagicData.copy(from: .file(file), to: location(schema))
    let proxy = try PostgreSQLProxy(schema.server)
    defer { proxy.stop() }
    proxy.arm(.loseMessage, at: "SELECT bytes FROM magic_asset_data")
    let information = "host=\(proxy.directory) user=magic dbname=postgres"
    let back = directory.file("back.sqlite3").path
    await expect(.connectionLost) {
      try await MagicData.copy(
        from: .postgres(information, schema: schema.name), to: .file(back))
    }
    #expect(!FileManager.default.fileExists(atPath: back))
  }

  @Test func brokenReferencesAreNamed() async throws {
    try await makeSource()
    let connection = try SQLiteConnection(path: file)
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.execute("UPDATE Song SET writer = 99 WHERE title = 'Song 1'")
    connection.close()
    let schema = try TestSchema()
    do {
      try await MagicData.copy(from: .file(file), to: location(schema))
      Issue.record("A broken reference was copied.")
    } catch let error as MagicError {
      #expect(error.code == .brokenReference)
      #expect(error.type == "Song")
    }
  }

  @Test func namesOfSchemasAreChecked() async throws {
    let server = try PostgreSQLServer.shared.get().information
    for name in ["", String(repeating: "s", count: 64), "a\u{0}b"] {
      let location = MagicDatabaseLocation.postgres(server, schema: name)
      await expect(.invalidOption) {
        try await MagicData.copy(from: .file(file), to: location)
      }
      await expect(.invalidOption) {
        try await MagicData.copy(from: location, to: .file(directory.file("new").path))
      }
    }
  }

  @Test func limitsOfTheServerDoNotEndACopy() async throws {
    try await makeSource()
    let schema = try TestSchema()
    let information =
      schema.server.information + " options='-c idle_in_transaction_session_timeout=1ms'"
    let limited = MagicDatabaseLocation.postgres(information, schema: schema.name)
    try await MagicData.copy(from: .file(file), to: limited)
    let back = directory.file("back.sqlite3").path
    let summary = try await MagicData.copy(from: limited, to: .file(back))
    #expect(summary.assets == 2)
  }

  @Test func rowsThatTheUserMayNotSeeAreNotLeftOut() async throws {
    try await makeSource()
    let schema = try TestSchema()
    try await MagicData.copy(from: .file(file), to: location(schema))
    let role = "reader_\(schema.name.filter(\.isHexDigit).lowercased())"
    try schema.run(
      """
      CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA "\(schema.name)" TO \(role);
      GRANT SELECT ON ALL TABLES IN SCHEMA "\(schema.name)" TO \(role);
      GRANT SELECT ON ALL SEQUENCES IN SCHEMA "\(schema.name)" TO \(role);
      """)
    let information = "host=\(schema.server.directory) user=\(role) dbname=postgres"
    let seen = MagicDatabaseLocation.postgres(information, schema: schema.name)
    try await MagicData.copy(from: seen, to: .file(directory.file("all.sqlite3").path))
    try schema.run("ALTER TABLE \"Tour\" ENABLE ROW LEVEL SECURITY")
    await expect(.readOnly) {
      try await MagicData.copy(from: seen, to: .file(directory.file("new").path))
    }
  }

  @Test func assetsThatAreRemovedMeanwhileAreCopied() async throws {
    try await makeSource()
    let schema = try TestSchema()
    let store = try openStore()
    defer { store.close() }
    let removal = Mutex(0)
    let summary = try await MagicData.copy(from: .file(file), to: location(schema)) { _ in
      removal.withLock { count in
        guard count == 0 else { return }
        count = (try? store.removeAll(of: Song.self)) ?? -1
      }
    }
    #expect(removal.withLock { $0 } == 5)
    #expect(summary.assets == 2)
    // The lock of the copy does not stay: the next commit removes the files.
    let removeTours = { _ = try store.removeAll(of: Tour.self) }
    try removeTours()
    let left = try FileManager.default.subpathsOfDirectory(atPath: file + "-assets")
    #expect(left.filter { $0.contains("/") } == [])
  }

  private func openStore() throws -> MagicObjectStore { try MagicObjectStore.open(.file(file)) }

  @Test func highRowIDsAreCopied() async throws {
    let (schema, other) = (try TestSchema(), try TestSchema())
    let magic = try await schema.openMagicData()
    try await magic.update(Tour(isOver: false))
    await magic.close()
    try schema.run(
      """
      SELECT setval(oid::regclass, \(Int64.max - 500)) FROM pg_class WHERE relkind = 'S' \
      AND starts_with(relname, 'magic_ids_') \
      AND relnamespace = quote_ident(current_schema())::regnamespace
      """)
    try await MagicData.copy(from: location(schema), to: .file(file))
    try await MagicData.copy(from: location(schema), to: location(other))
    let copy = try await other.openMagicData()
    #expect(try await copy.object(of: Tour.self).count == 1)
    await expect(.idsExhausted) { try await copy.update(Tour(isOver: true)) }
    await copy.close()
  }

  @Test func aTypeThatWasMigratedOnTheServerIsCompletedByItsProgram() async throws {
    try await makeSource()
    let schema = try TestSchema()
    try await MagicData.copy(from: .file(file), to: location(schema))
    try schema.run("UPDATE magic_types SET fingerprint = 'other' WHERE table_name = 'Tour'")
    let back = directory.file("back.sqlite3").path
    let summary = try await MagicData.copy(from: location(schema), to: .file(back))
    #expect(summary.incompleteTypes == ["Tour"])
    let connection = try SQLiteConnection(path: back)
    defer { connection.close() }
    let described = "SELECT count(DISTINCT table_name) FROM magic_columns WHERE table_name IN "
    #expect(try connection.integer(described + "('Tour', 'Song')") == 2)
  }

  @Test func aDatabaseInAnotherSchemaIsCreatedDuringACopy() async throws {
    try await makeSource()
    let (schema, other) = (try TestSchema(), try TestSchema())
    let connection = try schema.server.connect()
    defer { connection.close() }
    try connection.execute("BEGIN")
    try connection.execute(PostgreSQLDatabase.lock(catalogueIn: schema.name))
    let isFree = try other.run(
      PostgreSQLDatabase.lock(catalogueIn: other.name).replacing(
        "SELECT pg_advisory_xact_lock", with: "SELECT pg_try_advisory_xact_lock"))
    try #require(isFree.text(0, 0) == "t")
    let isHeld = try schema.run(
      PostgreSQLDatabase.lock(catalogueIn: schema.name).replacing(
        "SELECT pg_advisory_xact_lock", with: "SELECT pg_try_advisory_xact_lock"))
    #expect(isHeld.text(0, 0) == "f")
    // The whole database is not locked.
    try await MagicData.copy(from: .file(file), to: location(other))
  }

  private func expect(
    _ code: MagicError.Code, _ body: () async throws -> Void,
    location: SourceLocation = #_sourceLocation
  ) async {
    do {
      try await body()
      Issue.record("Nothing was thrown.", sourceLocation: location)
    } catch {
      #expect((error as? MagicError)?.code == code, sourceLocation: location)
    }
  }
}
