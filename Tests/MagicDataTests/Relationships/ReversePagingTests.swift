import EngineConformance
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// More owners than a page contains.
@Suite(.everyEngine) struct ReversePagingTests {
  let scratch = Scratch()

  struct Tag: MagicObject {
    @MagicValue var text: String = "t"
    @ReverseMagicValue(\Entry.$tag) var entries: AsyncReverseMagicSet<Entry>
    @ReverseMagicValue(\Entry.$tags) var listed: AsyncReverseMagicSet<Entry>
  }

  struct Entry: MagicObject {
    @MagicValue var number: Int
    @OptionMagicValue var tag: Tag?
    @MagicValue var tags: [Tag] = []

    init() {}
    init(_ number: Int, _ tag: Tag) { (self.number, self.tag, tags) = (number, tag, [tag, tag]) }
  }

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
  }

  @Test(arguments: [511, 512, 513, 1_024, 1_025, 3_000])
  func everyOwnerIsReturnedOnceInOrder(_ count: Int) async throws {
    let magic = try await open()
    let (tag, other) = (Tag(), Tag())
    try await magic.update(contentsOf: (0..<count).flatMap { [Entry($0, tag), Entry(-1, other)] })
    for entries in [tag.entries, tag.listed] {
      var numbers: [Int] = []
      for try await entry in entries { numbers.append(entry.number) }
      #expect(numbers == Array(0..<count))
      #expect(try await entries.count == count)
    }
  }

  @Test func ownersInsertedAfterThePositionAreReturned() async throws {
    let magic = try await open()
    let tag = Tag()
    try await magic.update(contentsOf: (0..<600).map { Entry($0, tag) })
    for (entries, first) in [(tag.entries, 600), (tag.listed, 700)] {
      var numbers: [Int] = []
      for try await entry in entries {
        numbers.append(entry.number)
        // While the first page is read.
        if numbers.count == 100 {
          try await magic.update(contentsOf: (first..<first + 100).map { Entry($0, tag) })
        }
      }
      #expect(numbers == Array(0..<first + 100))
    }
  }

  @Test func ownersDeletedBetweenPagesAreNotReturned() async throws {
    let magic = try await open()
    let tag = Tag()
    let entries = (0..<1_500).map { Entry($0, tag) }
    try await magic.update(contentsOf: entries)
    for listed in [false, true] {
      var numbers: [Int] = []
      for try await entry in listed ? tag.listed : tag.entries {
        numbers.append(entry.number)
        if numbers.count == 512, !listed {
          // The last row of the page, some before it, and some after it.
          try await magic.remove(contentsOf: entries[400..<700])
        }
        if numbers.count == 512, listed {
          for entry in entries[1_100..<1_200] { (entry.tag, entry.tags) = (nil, []) }
          try await magic.update(contentsOf: entries[1_100..<1_200])
        }
      }
      let expected =
        listed
        ? Array(0..<400) + Array(700..<1_100) + Array(1_200..<1_500)
        : Array(0..<512) + Array(700..<1_500)
      #expect(numbers == expected)
    }
  }

  @Test func removingAnObjectEndsTheIterationOfItsOwners() async throws {
    let magic = try await open()
    let tag = Tag()
    try await magic.update(contentsOf: (0..<1_500).map { Entry($0, tag) })
    var count = 0
    for try await _ in tag.entries {
      count += 1
      if count == 512 { try await magic.remove(tag) }
    }
    #expect(count == 512)
  }

  @Test func ownersAreInsertedAndDeletedDuringConcurrentReads() async throws {
    let magic = try await open()
    let tag = Tag()
    let stable = (0..<1_200).map { Entry($0, tag) }
    try await magic.update(contentsOf: stable)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          for round in 0..<8 {
            var numbers: [Int] = []
            var last: Int64 = 0
            for try await entry in round % 2 == 0 ? tag.entries : tag.listed {
              if entry.number >= 0 { numbers.append(entry.number) }
              let zIndex = entry.zIndex?.rawValue ?? 0
              #expect(zIndex > last)
              last = zIndex
            }
            #expect(numbers == Array(0..<1_200))
            #expect(try await tag.entries.count >= 1_200)
          }
        }
      }
      group.addTask {
        for _ in 0..<30 {
          let passing = (0..<50).map { _ in Entry(-1, tag) }
          try await magic.update(contentsOf: passing)
          try await magic.remove(contentsOf: passing)
        }
      }
      try await group.waitForAll()
    }
  }
}
