import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// The examples of the import in the guide for users of Core Data.
@Suite struct DocumentedImports {
  struct Note: MagicObject {
    @MagicValue var text: String

    init() {}
  }

  struct Folder: MagicObject {
    @MagicValue var notes: MagicalSet<Note> = []

    init() {}
  }

  /// The model of the store, as Xcode stores it.
  private static let model = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Folder"><relationship name="notes" toMany="YES" destinationEntity="Note" \
    inverseName="folder"/></entity>
      <entity name="Note"><attribute name="text" attributeType="String"/>
        <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" \
    inverseName="notes"/></entity>
    </model>
    """

  private func makeStore(_ store: String) throws {
    let connection = try SQLiteConnection(path: store)
    defer { connection.close() }
    let key = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    for sql in [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
        + "Z_MAX INTEGER)",
      "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Folder', 0, 1), (2, 'Note', 0, 2)",
      "CREATE TABLE ZFOLDER (\(key))", "INSERT INTO ZFOLDER VALUES (1, 1, 1)",
      "CREATE TABLE ZNOTE (\(key), ZFOLDER INTEGER, ZTEXT VARCHAR)",
      "INSERT INTO ZNOTE VALUES (1, 2, 1, 1, 'Buy milk'), (2, 2, 1, NULL, 'Call Ada')",
    ] {
      try connection.execute(sql)
    }
  }

  @Test func aStoreIsImported() async throws {
    let directory = try TemporaryDirectory()
    let (store, path) = (directory.file("default.store").path, directory.file("a.sqlite3").path)
    try makeStore(store)
    let folder = directory.file("Notes.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(Self.model.utf8).write(to: folder.appendingPathComponent("contents"))
    let source = try MagicData.swiftSource(ofCoreDataModel: folder.path)
    #expect(source.contains("@ReverseMagicValue(\\Note.$folder) var notes"))

    let imported = try await MagicData.copy(
      from: .coreData(store, model: folder.path, as: [Note.self, Folder.self]), to: .file(path))
    #expect(imported.rows == 3 && imported.members == 1)
    let magic = try await MagicData(path: path)
    #expect(try await magic.object(of: Folder.self).first?.notes.map(\.text) == ["Buy milk"])
    await magic.close()
    // The store of this test contains no model.
    await #expect(throws: MagicError.self) {
      try await examples(store, directory.file("b.sqlite3").path)
    }
    await #expect(throws: MagicError.self) { try await printPlan(store) }
  }

  /// The examples of the article and of the calls.
  private func examples(_ store: String, _ path: String) async throws {
    let plan = try await MagicData.importPlan(ofCoreData: store)
    print(plan.swiftSource)
    for loss in plan.losses { print(loss) }

    let imported = try await MagicData.copy(
      from: .coreData(store, as: [Note.self, Folder.self]), to: .file(path))
    print("\(imported.rows) rows, \(imported.assets) assets")
  }

  /// The example of the plan.
  private func printPlan(_ store: String) async throws {
    let plan = try await MagicData.importPlan(ofCoreData: store)
    print(plan)  // the types, their rows and properties, what is lost, and what is refused
  }
}
