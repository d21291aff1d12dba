import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

/// Verifications and backups of databases that tasks use.
@Suite struct MaintenanceTests {
  let scratch = Scratch()

  private var copyPath: String { scratch.file("copy.sqlite3") }

  @Test func theProgressOfABackupOfTwentyThousandRowsIncreases() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(
      contentsOf: (0..<20_000).map { Note("\($0) \(String(repeating: "x", count: 150))") })
    let recorder = Recorder<MagicBackupProgress>()
    try await magic.backup(to: copyPath) { recorder.note($0) }
    let fractions = recorder.all.map(\.fraction)
    #expect(fractions.count > 3)
    #expect(fractions == fractions.sorted())
    #expect(fractions.first == 0)
    #expect(fractions.last == 1)
    let copy = try await MagicData(path: copyPath)
    #expect(try await copy.query(Note.self).count() == 20_000)
    #expect(try await copy.verify().isSound)
    await copy.close()
    await magic.close()
  }

  @Test func liveResultsHaveTheNewRowIDsAfterAPreparationForSharing() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: [Note("a"), Note("b")])
    var results = magic.query(Note.self).order(by: \.$text).values().makeAsyncIterator()
    let before = try #require(try await results.next()).compactMap(\.zIndex?.rawValue)
    #expect(before == [1, 2])
    try await magic.prepareForSharing()
    let after = try #require(try await results.next()).compactMap(\.zIndex?.rawValue)
    #expect(after.map { $0 & 0xFFFF_FFFF } == before)
    #expect(after.allSatisfy { $0 >> 32 > 0 })
    try await magic.update(Note("c"))
    #expect(try await results.next()?.map(\.text) == ["a", "b", "c"])
    await magic.close()
  }

  @Test func aBackupToAURLIsWrittenToItsPath() async throws {
    let magic = try await MagicData(type: .memory)
    try await magic.update(Note("a"))
    try await magic.backup(to: URL(fileURLWithPath: copyPath))
    let copy = try await MagicData(path: copyPath)
    #expect(try await copy.object(of: Note.self).map(\.text) == ["a"])
    await copy.close()
  }

  @Test func aCancelledTaskNeitherVerifiesNorBacksUp() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Note("a"))
    let path = copyPath
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      await #expect(throws: CancellationError.self) { try await magic.verify() }
      await #expect(throws: CancellationError.self) { try await magic.backup(to: path) }
      await #expect(throws: CancellationError.self) { try await magic.prepareForSharing() }
    }
    task.cancel()
    await task.value
    #expect(!scratch.names.contains { $0.hasPrefix("copy") })
    await magic.close()
  }

  @Test(.timeLimit(.minutes(5))) func aVerificationEndsSoonAfterItsTaskIsCancelled() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(
      contentsOf: (0..<20_000).map { Note("\($0) \(String(repeating: "x", count: 150))") })
    let task = Task {
      while true { _ = try await magic.verify() }
    }
    try await Task.sleep(nanoseconds: 50_000_000)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func aCancelledCompactionLeavesTheObjects(isEarlier: Bool) async throws {
    if isEarlier { try scratch.connection().execute("PRAGMA auto_vacuum = NONE; VACUUM") }
    var options = MagicOptions(durability: .normal)
    options.minimumFreeSpace = 1 << 40
    let magic = try await MagicData(path: scratch.file(), options: options)
    let text = String(repeating: "x", count: 900)
    try await magic.update(contentsOf: (0..<20_000).map { Note("\($0) \(text)") })
    try await magic.sql("DELETE FROM Note WHERE z_index <= 10000").run()
    let sum = try await magic.sql("SELECT sum(z_index * length(text)) FROM Note").value(Int.self)
    let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
    let isCancelled = Flag()
    let task = Task {
      try await magic.compact { _ in
        hasBegun.yield()
        isCancelled.wait()
      }
    }
    for await _ in begun { break }
    task.cancel()
    isCancelled.set()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(
      try await magic.sql("SELECT sum(z_index * length(text)) FROM Note").value(Int.self) == sum)
    #expect(try scratch.raw().freePageCount() > 0)
    try await magic.update(Note("after"))
    #expect(try await magic.verify().isSound)
    let result = try await magic.compact()
    #expect(result.bytesReturned > 0)
    #expect(try await magic.query(Note.self).count() == 10_001)
    await magic.close()
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func tasksReadAndWriteDuringACompaction(isEarlier: Bool) async throws {
    if isEarlier { try scratch.connection().execute("PRAGMA auto_vacuum = NONE; VACUUM") }
    var options = MagicOptions(durability: .normal)
    options.minimumFreeSpace = 1 << 40
    let magic = try await MagicData(path: scratch.file(), options: options)
    let text = String(repeating: "x", count: 900)
    try await magic.update(contentsOf: (0..<20_000).map { Note("\($0) \(text)") })
    try await magic.sql("DELETE FROM Note WHERE z_index <= 15000").run()
    let isOver = Flag()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var count = 0
          while !isOver.isSet {
            try await magic.update(Note("\(task)"))
            count += 1
            #expect(try await magic.query(Note.self).count() >= 5_000 + count)
          }
          return count
        }
      }
      try await magic.compact()
      isOver.set()
      let saved = try await group.reduce(0, +)
      #expect(try await magic.query(Note.self).count() == 5_000 + saved)
    }
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test(.timeLimit(.minutes(5))) func aSuspensionEndsACompaction() async throws {
    try scratch.connection().execute("PRAGMA auto_vacuum = NONE; VACUUM")
    let magic = try await MagicData(path: scratch.file(), options: .init(durability: .normal))
    let text = String(repeating: "x", count: 900)
    try await magic.update(contentsOf: (0..<20_000).map { Note("\($0) \(text)") })
    let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
    let task = Task { try await magic.compact { _ in hasBegun.yield() } }
    for await _ in begun { break }
    await magic.suspend()
    let error = await #expect(throws: MagicError.self) { try await task.value }
    #expect(error?.code == .suspended)
    magic.resume()
    #expect(try await magic.query(Note.self).count() == 20_000)
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test(.timeLimit(.minutes(5))) func closeWaitsForTheBackup() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(
      contentsOf: (0..<5_000).map { Note("\($0) \(String(repeating: "x", count: 150))") })
    let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
    let path = copyPath
    let task = Task { try await magic.backup(to: path) { _ in hasBegun.yield() } }
    for await _ in begun { break }
    await magic.close()
    #expect(FileManager.default.fileExists(atPath: path))
    try await task.value
    await #expect(throws: MagicError.self) { try await magic.backup(to: scratch.file("late")) }
    await #expect(throws: MagicError.self) { try await magic.verify() }
    #expect(!scratch.names.contains { $0.hasSuffix("-wal") })
  }

  @Test(.timeLimit(.minutes(5))) func concurrentBackupsAreAllComplete() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (0..<500).map { Note("\($0)") })
    let paths = (0..<5).map { scratch.file("copy \($0)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for path in paths { group.addTask { try await magic.backup(to: path) } }
      try await group.waitForAll()
    }
    for path in paths {
      let copy = try await MagicData(path: path)
      #expect(try await copy.query(Note.self).count() == 500)
      await copy.close()
    }
    await magic.close()
  }

  /// The invariant of every write: all albums of a number have pages of one size, and the same
  /// number of them.
  @Test(.timeLimit(.minutes(5))) func aBackupDuringManyWritesIsOneConsistentState() async throws {
    let magic = try await MagicData(path: scratch.file())
    for number in 0..<4 {
      try await magic.update(contentsOf: (0..<10).map { Leaf(number, $0, round: 0) })
    }
    let isOver = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask { try await write(number, to: magic, until: isOver) }
      }
      for index in 0..<4 {
        let path = scratch.file("copy \(index)")
        try await magic.backup(to: path)
        #expect(try await magic.verify().description == "no faults")
        let copy = try await MagicData(path: path)
        #expect(try await copy.verify().description == "no faults")
        let leaves = try await copy.object(of: Leaf.self)
        for number in 0..<4 {
          let own = leaves.filter { $0.number == number }
          #expect(own.count == own.first?.count)
          #expect(Set(own.map(\.round)).count == 1)
          for leaf in own {
            #expect(try leaf.page.load() == Leaf.content(number, leaf.position, round: leaf.round))
          }
        }
        await copy.close()
      }
      isOver.set()
      try await group.waitForAll()
    }
    #expect(try await magic.verify().description == "no faults")
    await magic.close()
    let again = try await MagicData(path: scratch.file())
    let leaves = try await again.query(Leaf.self).count()
    let files = scratch.names.filter { $0.hasPrefix("test.sqlite3-assets/") && $0.contains("-") }
      .filter { $0.dropFirst("test.sqlite3-assets/".count).contains("/") }
    #expect(files.count == leaves)
    await again.close()
  }
}

/// Repeatedly replaces all leaves of a number by leaves with other pages.
private func write(_ number: Int, to magic: MagicData, until isOver: Flag) async throws {
  var round = 0
  while !isOver.isSet {
    round += 1
    let next = round
    try await magic.transaction { transaction in
      let old = try transaction.query(Leaf.self).where(\.$number == number).all()
      let count = 5 + next % 7
      for leaf in old where leaf.position >= count { try transaction.remove(leaf) }
      let kept = old.filter { $0.position < count }
      for leaf in kept {
        leaf.page = .init(value: Leaf.content(number, leaf.position, round: next))
        (leaf.round, leaf.count) = (next, count)
      }
      let places = Set(kept.map(\.position))
      let new = (0..<count).filter { !places.contains($0) }.map { position in
        let leaf = Leaf(number, position, round: next)
        leaf.count = count
        return leaf
      }
      try transaction.update(contentsOf: kept + new)
    }
  }
}

/// A row with a file, of a group that is written together.
struct Leaf: MagicObject {
  @MagicValue(.indexed) var number: Int
  @MagicValue var position: Int
  @MagicValue var round: Int
  @MagicValue var count: Int
  @MagicValue var page: MagicAsset<String>

  init() {}

  init(_ number: Int, _ position: Int, round: Int) {
    (self.number, self.position, self.round, count) = (number, position, round, 10)
    page = .init(value: Self.content(number, position, round: round))
  }

  static func content(_ number: Int, _ position: Int, round: Int) -> String {
    String(repeating: "\(number) \(position) \(round)\n", count: 200 + position)
  }
}
