import MagicSchema
import Magical
import Testing

private struct Owner: MagicObject {
  @OptionMagicValue var value: Tracked?
  @MagicValue var other: Tracked
  init() {}
}

@Suite struct LifetimeTests {
  private func fetch(_ number: Int64, rows: Int) throws -> [Owner] {
    let schema = try ObjectSchema.of(Owner.self)
    var builder = ChunkBuilder(schema)
    for row in 0..<rows {
      try builder.append(
        zIndex: Int64(row + 1), [row % 3 == 0 ? .null : .integer(number), .integer(number)])
    }
    return schema.makeObjects(Owner.self, from: [builder.chunk])
  }

  @Test func valuesOfANewObjectAreFreedWithIt() {
    do {
      let owner = Owner()
      owner.value = Tracked(101)
      owner.other = Tracked(101)
      #expect(Ledger.shared.count(101) == 2)
      owner.value = nil
      #expect(Ledger.shared.count(101) == 1)
      owner.other = Tracked(101)
      #expect(Ledger.shared.count(101) == 1)
      withExtendedLifetime(owner) {}
    }
    #expect(Ledger.shared.count(101) == 0)
  }

  @Test func valuesOfAFetchedRowAreFreedWithTheLastObject() throws {
    do {
      var owners = try fetch(102, rows: 30)
      #expect(Ledger.shared.count(102) == 50)
      let kept = owners[1]
      owners = []
      #expect(Ledger.shared.count(102) == 50)
      #expect(kept.other.storedValue == 102)
    }
    #expect(Ledger.shared.count(102) == 0)
  }

  @Test func fetchedValuesThatWereReplacedAreKeptForARevertUntilTheChunkIsFreed() throws {
    do {
      let owners = try fetch(103, rows: 9)
      let before = Ledger.shared.count(103)
      for owner in owners {
        owner.value = Tracked(104)
        owner.other = Tracked(104)
      }
      #expect(before == 15)
      #expect(Ledger.shared.count(103) == 15)
      #expect(Ledger.shared.count(104) == 18)
      for owner in owners { owner.value = Tracked(104) }
      #expect(Ledger.shared.count(104) == 18)
      withExtendedLifetime(owners) {}
    }
    #expect(Ledger.shared.count(103) == 0)
    #expect(Ledger.shared.count(104) == 0)
  }

  @Test func racingFirstChangesLeakNothing() async throws {
    for _ in 0..<50 {
      let owners = try fetch(105, rows: 3)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            for owner in owners {
              owner.value = Tracked(105)
              _ = owner.other
            }
          }
        }
      }
    }
    #expect(Ledger.shared.count(105) == 0)
  }

  @Test func aPackedValueThatIsNotUsedIsDiscarded() throws {
    let schema = try ObjectSchema.of(Owner.self)
    let slot = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { slot.deallocate() }
    try schema.columns[0].pack(from: OneInteger(integer: 106), into: slot)
    #expect(Ledger.shared.count(106) == 1)
    schema.columns[0].discard(slot)
    #expect(Ledger.shared.count(106) == 0)
  }

  @Test func aValueThatCannotBeReadIsNotPacked() throws {
    let schema = try ObjectSchema.of(Owner.self)
    let slot = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { slot.deallocate() }
    #expect(throws: MagicalError.self) {
      try schema.columns[0].pack(from: OneInteger(integer: -1), into: slot)
    }
  }
}

private struct OneInteger: MagicalReader {
  let integer: Int64
  var storageClass: MagicalStorageClass? { .integer }
  var real: Double { 0 }
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
