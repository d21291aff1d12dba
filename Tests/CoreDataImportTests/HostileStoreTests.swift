import CopySupport
import DatabaseTransfer
import Foundation
import MagicData
import MagicExchange
import MagicFiles
import MagicSQLite
import MagicTestSupport
import Testing

@testable import CoreDataImport

/// Stores that are damaged, hostile or in use. Nothing of them is written.
@Suite struct HostileStoreTests {
  private let store: ShopStore
  private let path: String

  init() throws {
    store = try ShopStore()
    path = store.file("new.sqlite3")
  }

  /// Expects that an import fails with a code, and leaves nothing.
  private func expectFailure(
    _ code: MagicError.Code, of source: String, property: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) async {
    do {
      try await MagicData.copy(from: .coreData(source), to: .file(path))
      Issue.record("The import did not fail.", sourceLocation: location)
    } catch {
      let error = error as? MagicError
      #expect(error?.code == code, "\(String(describing: error))", sourceLocation: location)
      #expect(error?.property == property, sourceLocation: location)
    }
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let left = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    #expect(left.filter { $0.hasPrefix("new") } == [], sourceLocation: location)
  }

  @Test func filesThatAreNoStoresAreRefused() async throws {
    await expectFailure(.cannotOpen, of: store.file("missing.store"))
    await expectFailure(.cannotOpen, of: "")
    await expectFailure(.cannotOpen, of: store.directory.url.path)
    try #require(mkfifo(store.file("pipe.store"), 0o600) == 0)
    await expectFailure(.cannotOpen, of: store.file("pipe.store"))
    let other = store.file("other.sqlite3")
    try await MagicData(path: other).close()
    await expectFailure(.notADatabase, of: other)
    // An encrypted file has no header.
    var generator = SeededRandom(51)
    let noise = Data((0..<8_192).map { _ in UInt8.random(in: 0...255, using: &generator) })
    let encrypted = store.file("encrypted.store")
    try noise.write(to: URL(fileURLWithPath: encrypted))
    await expectFailure(.notADatabase, of: encrypted)
  }

  @Test func aTruncatedStoreIsRefused() async throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let half = store.file("half.store")
    try bytes.prefix(bytes.count / 2 / 4_096 * 4_096).write(to: URL(fileURLWithPath: half))
    await expectFailure(.corrupt, of: half)
  }

  @Test func invalidModelsAreRefused() async throws {
    let archive = ModelWriter(ShopStore.entities).archive()
    for content in [
      [], [1, 2, 3], archive, Array(stored(archive).dropLast(40)), stored(Array("bplist00".utf8)),
    ] {
      let damaged = try ShopStore(content: content)
      await expectFailure(.corrupt, of: damaged.path)
    }
  }

  @Test func aLockedStoreIsRefusedAndNotChanged() async throws {
    let app = try SQLiteConnection(path: store.path)
    try app.execute("PRAGMA journal_mode = DELETE")
    try app.execute("BEGIN EXCLUSIVE")
    await expectFailure(.busy, of: store.path)
    try app.execute("ROLLBACK")
    app.close()
    #expect(try await MagicData.copy(from: .coreData(store.path), to: .file(path)).rows == 18)
  }

  @Test(arguments: [true, false])
  func aStoreThatIsOpenedDuringAnImportIsRefused(_ isClosed: Bool) async throws {
    // The store has the mode of write-ahead logging, and no log: it is read without locks.
    try store.execute("UPDATE ZTAG SET ZLABEL = 'first'")
    let source = try CoreDataSource(path: store.path, model: nil, types: [], names: [:])
    defer { source.close() }
    let app = try SQLiteConnection(path: store.path)
    try app.execute("UPDATE ZTAG SET ZLABEL = 'second'")
    if isClosed {
      app.close()
      #expect(!FileManager.default.fileExists(atPath: store.path + "-wal"))
    }
    #expect { try source.assets() } throws: { ($0 as? MagicError)?.code == .busy }
    var transfer = DatabaseTransfer(from: source, to: try SQLiteTarget(path: path)) { _ in }
    #expect { try transfer.run() } throws: { ($0 as? MagicError)?.code == .busy }
    if !isClosed { app.close() }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [
    ("UPDATE ZORDER SET ZISPAID = 2", "isPaid"), ("UPDATE ZORDER SET ZTOTAL = 'many'", "total"),
    ("UPDATE ZORDER SET ZWEIGHT = 0.1", "weight"), ("UPDATE ZORDER SET ZREMARK = X'FF'", "remark"),
    ("UPDATE ZPARTY SET ZID = X'00' WHERE Z_PK = 3", "id"),
    ("UPDATE ZPARTY SET ZRANK = 40000 WHERE Z_PK = 2", "rank"),
    ("UPDATE ZPRODUCT SET ZLINK = ''", "link"), ("UPDATE ZPRODUCT SET ZPICTURE = X'03'", "picture"),
    ("UPDATE ZPRODUCT SET ZMANUAL = 7", "manual"),
  ])
  func invalidValuesAreNamed(_ sql: String, _ property: String) async throws {
    try store.execute(sql)
    await expectFailure(.cannotDecode, of: store.path, property: property)
  }

  @Test func missingExternalFilesAreNamed() async throws {
    try FileManager.default.removeItem(
      atPath: "\(store.externalFolder)/\(ShopStore.pictureFile)")
    await expectFailure(.assetMissing, of: store.path, property: "picture")
  }

  @Test func externalFilesOutsideTheirFolderAreNotRead() async throws {
    try Data([1]).write(to: URL(fileURLWithPath: store.file("secret")))
    try store.execute("UPDATE ZPRODUCT SET ZPICTURE = X'02' || CAST('../../secret' AS BLOB)")
    await expectFailure(.cannotDecode, of: store.path, property: "picture")
    let link = "\(store.externalFolder)/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: store.file("secret"))
    try store.execute("UPDATE ZPRODUCT SET ZPICTURE = CAST(X'02' || 'link' AS BLOB)")
    await expectFailure(.assetMissing, of: store.path, property: "picture")
  }

  @Test func missingColumnsAndTablesAreRefused() async throws {
    try store.execute("ALTER TABLE ZTAG RENAME COLUMN ZLABEL TO ZOTHER")
    await expectFailure(.invalidSchema, of: store.path, property: "label")
    let other = try ShopStore()
    try other.execute("DROP TABLE Z_3TAGS")
    await expectFailure(.invalidSchema, of: other.path, property: "tags")
  }

  @Test func lostReferencesAreCounted() async throws {
    try store.execute("UPDATE ZORDER SET ZCUSTOMER = 99 WHERE Z_PK = 7")
    try store.execute("DELETE FROM ZPRODUCT WHERE Z_PK = 2")
    try store.execute("INSERT INTO Z_3TAGS VALUES (11, 77)")
    let plan = try await MagicData.importPlan(ofCoreData: store.path)
    let lost = plan.losses.compactMap { note in
      note.rows.map { "\(note.entity).\(note.property ?? "") \($0)" }
    }
    #expect(lost == ["Line.product 1", "Order.customer 1", "Order.tags 1"])
    let summary = try await MagicData.copy(from: .coreData(store.path), to: .file(path))
    #expect(summary.rows == 17)
    let magic = try await MagicData(path: path)
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func requiredAttributesWithoutValuesBecomeOptional() async throws {
    try store.execute("UPDATE ZTAG SET ZLABEL = NULL WHERE Z_PK = 1")
    let plan = try await MagicData.importPlan(ofCoreData: store.path)
    #expect(plan.losses.last { $0.property == "label" }?.rows == 1)
    #expect(plan.swiftSource.contains("@OptionMagicValue var label: String?"))
    #expect(try await MagicData.copy(from: .coreData(store.path), to: .file(path)).rows == 18)
  }

  @Test(arguments: [FileError.Operation.create, .write, .sync])
  func aFullDiskLeavesNothing(_ operation: FileError.Operation) async throws {
    let folder = store.file("export")
    let faults = Faults<FileError.Operation>()
    faults.fail(operation, at: 2, with: ENOSPC, isLasting: true)
    func run() throws {
      let source = try CoreDataSource(path: store.path, model: nil, types: [], names: [:])
      defer { source.close() }
      let target = try FolderTarget(path: folder) {
        FaultyFileSystem(DiskFileSystem(root: $0, durability: $1), faults: faults)
      }
      var transfer = DatabaseTransfer(from: source, to: target) { _ in }
      _ = try transfer.run()
    }
    do {
      try run()
      Issue.record("The disk was not full.")
    } catch {
      #expect((error as? MagicError)?.code == .diskFull)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: store.directory.url.path)
    #expect(left.filter { $0.hasPrefix("export") } == [])
    faults.heal()
    try run()
  }

  @Test func aFullDiskLeavesNoFile() async {
    await #expect(processExitsWith: .success) {
      let store = try ShopStore()
      try FullDiskCopy {
        try CoreDataSource(path: store.path, model: nil, types: [], names: [:])
      }.check(besides: store.path)
    }
  }

  @Test func aCancelledImportLeavesNothing() async throws {
    let source = store.path
    let task = Task { [path] in
      // The first report comes after the first asset was copied.
      try await MagicData.copy(from: .coreData(source), to: .file(path)) { done in
        #expect(done > 0 && done < 1)
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let left = try FileManager.default.contentsOfDirectory(atPath: store.directory.url.path)
    #expect(left.filter { $0.hasPrefix("new") } == [])
  }
}
