import MagicSchema
import Magical
import Testing

private struct Item: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var name: String
  @OptionMagicValue var price: Double?
  @OptionMagicValue var list: Tracked?
  init() {}
}

private struct Scattered: MagicObject {
  var before = "made by init"
  @MagicValue var a: Int
  var between: UInt8 = 7
  @OptionMagicValue var b: String?
  init() {}
}

private final class Shared: MagicObject, @unchecked Sendable {
  var before = "made by init"
  @MagicValue var a: Int
  @OptionMagicValue var b: String?
  init() {}
}

@Suite struct RowChunkTests {
  private func items(_ range: Range<Int64>, store: UInt64 = 1) throws -> [Item] {
    let schema = try ObjectSchema.of(Item.self)
    var builder = ChunkBuilder(schema, store: store)
    for number in range {
      try builder.append(
        zIndex: number,
        [
          .integer(number * 10), .text("name \(number)\0ä"),
          number % 2 == 0 ? .null : .real(Double(number) / 2), .null,
        ])
    }
    return schema.makeObjects(Item.self, from: [builder.chunk])
  }

  @Test func fetchedValuesAreReadFromTheRow() throws {
    let items = try items(1..<50)
    #expect(items.count == 49)
    for (index, item) in items.enumerated() {
      let number = index + 1
      #expect(item.zIndex?.rawValue == Int64(number))
      #expect(item.number == number * 10)
      #expect(item.name == "name \(number)\0ä")
      #expect(item.price == (number % 2 == 0 ? nil : Double(number) / 2))
    }
  }

  @Test func objectsOfManyChunksAreInOrder() throws {
    let schema = try ObjectSchema.of(Scattered.self)
    var chunks: [RowChunk] = []
    for start in [0, 10, 20] as [Int64] {
      var builder = ChunkBuilder(schema)
      for number in start..<start + 10 {
        try builder.append(zIndex: number + 1, [.integer(number), .null])
      }
      chunks.append(builder.chunk)
    }
    chunks.insert(ChunkBuilder(schema).chunk, at: 1)
    let objects = schema.makeObjects(Scattered.self, from: chunks)
    #expect(objects.map(\.a) == Array(0..<30))
    #expect(objects.allSatisfy { $0.before == "made by init" && $0.between == 7 })
  }

  @Test func onlyCopiesSeeAChange() throws {
    let items = try items(1..<4)
    let copy = items[0]
    copy.name = "changed"
    copy.price = nil
    #expect(items[0].name == "changed")
    #expect(items[0].price == nil)
    #expect(items[1].name == "name 2\0ä")
    #expect(try self.items(1..<2)[0].name == "name 1\0ä")
  }

  @Test func valuesThatWereNullCanBeSetAndChangedInPlace() throws {
    let item = try items(2..<3)[0]
    item.price = 1
    item.price? += 1
    #expect(item.price == 2)
    item.name += "!"
    #expect(item.name == "name 2\0ä!")
    item.number += 1
    #expect(item.number == 21)
  }

  @Test func onlyChangedColumnsCountAsChanged() throws {
    let item = try items(1..<2)[0]
    let schema = try ObjectSchema.of(Item.self)
    func changed() -> [Bool] {
      schema.withReference(to: item) { reference in
        schema.plans.indices.map {
          reference.property($0).isChanged(schema.plans[$0].packing, since: reference.property(0))
        }
      }
    }
    #expect(changed() == [false, false, false, false])
    _ = item.name
    #expect(changed() == [false, false, false, false])
    item.name = "x"
    #expect(changed() == [false, true, false, false])
    item.price? += 1
    #expect(changed() == [false, true, true, false])
  }

  @Test func fetchedObjectsOfOneRowAreTheSameRow() throws {
    let first = try items(1..<3)
    let second = try items(1..<3)
    #expect(first[0].isSameRow(as: second[0]))
    #expect(!first[0].isSameRow(as: second[1]))
    #expect(try !first[0].isSameRow(as: items(1..<2, store: 2)[0]))
  }

  @Test func theColumnsOfAClassAreAfterItsReference() throws {
    let schema = try ObjectSchema.of(Shared.self)
    var builder = ChunkBuilder(schema)
    try builder.append(zIndex: 4, [.integer(1), .text("b")])
    try builder.append(zIndex: 5, [.integer(2), .null])
    let objects = schema.makeObjects(Shared.self, from: [builder.chunk])
    #expect(objects.map(\.a) == [1, 2])
    #expect(objects.map(\.b) == ["b", nil])
    #expect(objects.map { $0.zIndex?.rawValue } == [4, 5])
    #expect(objects[0].before == "made by init")
    objects[0].a = 9
    #expect(objects.map(\.a) == [9, 2])
  }

  @Test func anObjectRetainsItsChunk() throws {
    var items = try items(1..<100)
    let kept = items[57]
    items = []
    #expect(kept.name == "name 58\0ä")
  }

  @Test func concurrentChangesOfAFetchedObjectAreAllCounted() async throws {
    for _ in 0..<20 {
      let item = try items(1..<2)[0]
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            item.number += 1
            item.name += "x"
            _ = item.price
            _ = item.zIndex
          }
        }
      }
      #expect(item.number == 60)
      #expect(item.name.count == "name 1\0ä".count + 50)
    }
  }
}
