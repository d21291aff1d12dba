import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// The write-ahead log of a program that ended without closing its database: missing, truncated or
/// damaged. With `.full`, the database is refused; with the option to accept the loss, it opens
/// with the commits that remain.
@Suite struct LogTests {
  let scratch = Scratch()

  private static let count = 30

  /// Creates a database whose commits, a photo and a note each, are all in the log; the first is in
  /// the database file as well.
  private func makeUnclean(_ durability: MagicOptions.Durability = .full) async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Photo("0", "picture 0"))
      try await magic.update(Note("0"))
    }
    await #expect(processExitsWith: .success) {
      [path = scratch.file() as String, isNormal = (durability == .normal) as Bool] in
      let magic = try await MagicData(
        path: path, options: MagicOptions(durability: isNormal ? .normal : .full))
      for number in 1..<Self.count {
        try await magic.transaction {
          try $0.update(Photo("\(number)", "picture \(number)"))
          try $0.update(Note("\(number)"))
        }
      }
      _exit(0)
    }
    #expect(FileManager.default.fileExists(atPath: scratch.file("test.sqlite3-wal")))
  }

  /// Expects the complete first commits, no part of the later ones, and that the database can be
  /// written.
  ///
  /// - Returns: The number of commits.
  private func expectBeginning(
    at location: SourceLocation = #_sourceLocation
  ) async throws -> Int {
    try await scratch.using(MagicOptions(acceptsLostLog: true)) { magic async throws in
      let texts = try await magic.texts()
      #expect(texts == (0..<texts.count).map { "\($0)" }, sourceLocation: location)
      let photos = try await magic.object(of: Photo.self)
      #expect(photos.map(\.name) == texts, sourceLocation: location)
      for photo in photos {
        #expect(
          try photo.picture.load() == Data("picture \(photo.name)".utf8), sourceLocation: location)
      }
      let report = try await magic.verify()
      #expect(
        report.findings.allSatisfy { $0.kind == .orphanFile }, "\(report)",
        sourceLocation: location)
      let more = Photo("more", "more")
      try await magic.update(more)
      #expect(try more.picture.load() == Data("more".utf8), sourceLocation: location)
      try await magic.remove(more)
      return texts.count
    }
  }

  @Test func commitsInTheLogAreRecovered() async throws {
    try await makeUnclean()
    #expect(try await expectBeginning() == Self.count)
  }

  @Test func aCopyWithoutTheLogIsConsistentAndOlderAndABackupIsCurrent() async throws {
    try await makeUnclean()
    try FileManager.default.copyItem(atPath: scratch.file(), toPath: scratch.file("alone.sqlite3"))
    let alone = try await MagicData(path: scratch.file("alone.sqlite3"))
    #expect(try await alone.texts() == ["0"])
    await alone.close()
    try await scratch.using { magic async throws in
      try await magic.backup(to: scratch.file("backup.sqlite3"))
    }
    let backup = try await MagicData(path: scratch.file("backup.sqlite3"))
    #expect(try await backup.texts().count == Self.count)
    #expect(try await backup.pictures().count == Self.count)
    #expect(try await backup.verify().findings == [])
    await backup.close()
    // Closing a database moves all commits into its file.
    try FileManager.default.removeItem(atPath: scratch.file("alone.sqlite3"))
    try FileManager.default.copyItem(atPath: scratch.file(), toPath: scratch.file("alone.sqlite3"))
    let again = try await MagicData(path: scratch.file("alone.sqlite3"))
    #expect(try await again.texts().count == Self.count)
    await again.close()
  }

  @Test(arguments: [40, 4_000, 60_000, 120_000])
  func aFlippedBitInTheLogLosesOnlyTheCommitsAfterIt(place: Int) async throws {
    try await makeUnclean()
    var isInside = false
    try scratch.damage("test.sqlite3-wal") { bytes in
      isInside = place < bytes.count
      if isInside { bytes[place] ^= 0x10 }
    }
    try #require(isInside)
    await scratch.expectRefusal(.lostDatabase)
    let files = scratch.assetFiles
    let count = try await expectBeginning()
    #expect((1..<Self.count).contains(count))
    #expect(try await expectBeginning() == count)
    // Files of the lost rows remain, and `verify` reports them.
    #expect(scratch.assetFiles == files)
    try await scratch.using { magic async throws in
      let orphans = try await magic.verify().findings.filter { $0.kind == .orphanFile }
      #expect(orphans.count == Self.count - count)
    }
  }

  @Test(arguments: [0, 16, 32, 10_000, 50_000])
  func aTruncatedLogLosesOnlyTheCommitsAfterTheCut(length: Int) async throws {
    try await makeUnclean()
    try scratch.damage("test.sqlite3-wal") { $0 = $0.prefix(length) }
    await scratch.expectRefusal(.lostDatabase)
    let files = scratch.assetFiles
    let count = try await expectBeginning()
    #expect((1..<Self.count).contains(count))
    #expect(scratch.assetFiles == files)
    // The loss has been accepted: the next open needs no option.
    #expect(try await scratch.using { try await $0.texts().count } == count)
  }

  @Test func aMissingLogIsALostDatabase() async throws {
    try await makeUnclean()
    try FileManager.default.removeItem(atPath: scratch.file("test.sqlite3-wal"))
    await scratch.expectRefusal(.lostDatabase)
    let files = scratch.assetFiles
    #expect(try await expectBeginning() == 1)
    #expect(scratch.assetFiles == files)
  }

  @Test func aNewDatabaseWithoutItsLogIsNotAnEmptyDatabase() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let magic = try await MagicData(path: path)
      try await magic.update(Note("a"))
      _exit(0)
    }
    try FileManager.default.removeItem(atPath: scratch.file("test.sqlite3-wal"))
    await scratch.expectRefusal(.lostDatabase)
  }

  @Test func aLogThatAnotherProgramHasCheckpointedIsNotMissing() async throws {
    try await makeUnclean()
    let other = try scratch.raw()
    #expect(try other.integer("SELECT count(*) FROM Note") == Int64(Self.count))
    other.close()
    #expect(!FileManager.default.fileExists(atPath: scratch.file("test.sqlite3-wal")))
    #expect(try await scratch.using { try await $0.texts().count } == Self.count)
  }

  @Test func withNormalDurabilityATruncatedLogIsAccepted() async throws {
    try await makeUnclean(.normal)
    try scratch.damage("test.sqlite3-wal") { $0 = $0.prefix(50_000) }
    try await scratch.using { magic async throws in
      #expect((1..<Self.count).contains(try await magic.texts().count))
    }
  }

  /// The database then has what was written to its file before, and no file of a lost row.
  @Test func withNormalDurabilityAMissingLogIsNotNoticed() async throws {
    try await makeUnclean(.normal)
    try FileManager.default.removeItem(atPath: scratch.file("test.sqlite3-wal"))
    try await scratch.using { magic async throws in
      #expect(try await magic.texts() == ["0"])
      #expect(try await magic.verify().findings == [])
    }
    #expect(scratch.assetFiles.count == 1)
  }

  @Test(arguments: [40, 4_000, 60_000, 120_000])
  func withNormalDurabilityFilesOfLostRowsRemain(place: Int) async throws {
    try await makeUnclean(.normal)
    try scratch.damage("test.sqlite3-wal") { $0[place] ^= 0x10 }
    let files = scratch.assetFiles
    let count = try await scratch.using { try await $0.texts().count }
    #expect((1..<Self.count).contains(count))
    #expect(scratch.assetFiles == files)
  }

  /// Creates a database whose log remains although all of it is in the database file: another
  /// connection was open when the database was closed.
  private func makeCheckpointed() async throws {
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let magic = try await MagicData(path: path)
      for number in 0..<Self.count { try await magic.update(Note("\(number)")) }
      let other = try SQLiteConnection(
        path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
      #expect(try other.integer("SELECT count(*) FROM Note") == Int64(Self.count))
      await magic.close()
      _exit(0)
    }
    let record = try Data(contentsOf: URL(fileURLWithPath: scratch.file("test.sqlite3-commits")))
    let words = record.withUnsafeBytes { $0.bindMemory(to: UInt64.self).map { $0 } }
    #expect(words[2] > 30)
    #expect(words[3] == words[2])
  }

  @Test func aCheckpointedLogMayBeMissing() async throws {
    try await makeCheckpointed()
    try FileManager.default.removeItem(atPath: scratch.file("test.sqlite3-wal"))
    #expect(try await scratch.using { try await $0.texts().count } == Self.count)
  }

  /// SQLite would read the frames that remain, and write old pages into the database.
  @Test(arguments: [0, 1, 5, 12, 25, 30])
  func aTruncatedCheckpointedLogIsNotRead(frames: Int) async throws {
    try await makeCheckpointed()
    try scratch.damage("test.sqlite3-wal") { $0 = $0.prefix(32 + frames * 4_120) }
    // The first commit creates the tables, with about eight frames.
    if frames > 10 { await scratch.expectRefusal(.lostDatabase) }
    try await scratch.using(MagicOptions(acceptsLostLog: true)) { magic async throws in
      #expect(try await magic.texts().count == Self.count)
      #expect(try await magic.verify().isSound)
    }
  }

  @Test func theLogOfACopyIsRefused() async throws {
    try await makeUnclean()
    for suffix in ["", "-wal", "-commits"] {
      try FileManager.default.copyItem(
        atPath: scratch.file() + suffix, toPath: scratch.file("copy.sqlite3") + suffix)
    }
    await #expect(processExitsWith: .success) { [path = scratch.file("copy.sqlite3") as String] in
      let magic = try await MagicData(path: path)
      let other = try SQLiteConnection(
        path: path, configuration: SQLiteConfiguration(access: .readWriteExisting))
      #expect(try other.integer("PRAGMA wal_checkpoint(RESTART)") == 0)
      for number in 0..<100 { try await magic.update(Note("other \(number)")) }
      _exit(0)
    }
    let log = try Data(contentsOf: URL(fileURLWithPath: scratch.file("test.sqlite3-wal")))
    try scratch.write(
      Data(contentsOf: URL(fileURLWithPath: scratch.file("copy.sqlite3-wal"))), "test.sqlite3-wal")
    await scratch.expectRefusal(.lostDatabase)
    try scratch.write(log, "test.sqlite3-wal")
    #expect(try await expectBeginning() == Self.count)
  }

  /// An archive that is unpacked next to a database can contain a malicious link.
  @Test func aRecordIsNotWrittenThroughASymbolicLink() async throws {
    let other = scratch.file("other.txt")
    try scratch.write(Data("kept".utf8), "other.txt")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("test.sqlite3-commits"), withDestinationPath: other)
    try await scratch.using { try await $0.update(Note("a")) }
    #expect(FileManager.default.contents(atPath: other) == Data("kept".utf8))
  }

  @Test(.timeLimit(.minutes(5))) func aPipeInPlaceOfTheRecordDoesNotBlock() async throws {
    try #require(mkfifo(scratch.file("test.sqlite3-commits"), 0o600) == 0)
    try await scratch.using { try await $0.update(Note("a")) }
    #expect(try await scratch.using { try await $0.texts() } == ["a"])
  }

  @Test func aClosedDatabaseHasNeitherLogNorRecord() async throws {
    try await scratch.using { magic async throws in
      try await magic.update(Note("a"))
      #expect(scratch.contentsWithoutEmptyLogs.keys.contains("test.sqlite3-commits"))
    }
    #expect(scratch.contentsWithoutEmptyLogs.keys.sorted() == ["test.sqlite3"])
  }

  @Test(arguments: [Data(), Data(repeating: 0, count: 48), Data(repeating: 0xFF, count: 500)])
  func aRecordWithoutASignatureIsIgnored(bytes: Data) async throws {
    try await makeUnclean()
    try scratch.write(bytes, "test.sqlite3-commits")
    #expect(try await expectBeginning() == Self.count)
  }

  @Test func aLogWithoutAHeaderIsIgnored() async throws {
    try await makeUnclean()
    try scratch.write(
      Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }), "test.sqlite3-wal")
    await scratch.expectRefusal(.lostDatabase)
    #expect(try await expectBeginning() == 1)
    #expect(scratch.assetFiles.count == Self.count)
  }

  @Test func aRowWhoseRemovalWasLostHasItsFileReportedMissing() async throws {
    try await makeUnclean()
    let name = try await scratch.using { magic async throws in
      try await magic.object(of: Photo.self)[5].name
    }
    await #expect(processExitsWith: .success) { [path = scratch.file() as String] in
      let magic = try await MagicData(path: path)
      try await magic.remove(try await magic.object(of: Photo.self, primary: "5"))
      _exit(0)
    }
    try scratch.damage("test.sqlite3-wal") { $0[40] ^= 0x10 }
    try await scratch.using(MagicOptions(acceptsLostLog: true)) { magic async throws in
      let photo = try await magic.object(of: Photo.self, primary: name)
      #expect(throws: MagicError.self) { try photo.picture.load() }
      let missing = try await magic.verify().findings.filter { $0.kind == .missingFile }
      #expect(missing.map(\.zIndex) == [photo.zIndex])
      #expect(missing.map(\.column) == ["picture"])
      #expect(try await magic.pictures().values.filter { $0 != nil }.count == Self.count - 1)
      photo.picture = .init(value: Data("mended".utf8))
      try await magic.update(photo)
      #expect(try await magic.verify().isSound)
    }
  }
}
