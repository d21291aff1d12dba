import MagicEngine
import MagicGraph
import MagicSchema
import Magical
import Testing

@testable import MemoryEngine

@Suite struct TransactionTests {
  private let database = MemoryDatabase()

  private func save(_ wells: Well...) throws {
    _ = try database.writeBlocking {
      try ObjectTransaction($0).save(wells, ObjectSchema.of(Well.self))
    }
  }

  private func depths(_ reader: any EngineReader) throws -> [Int] {
    let schema = try ObjectSchema.of(Well.self)
    let rows = try reader.fetch(.all, of: schema, graph: nil, isWanted: nil)
    return schema.makeObjects(Well.self, from: rows.chunks).map(\.depth)
  }

  @Test func aSnapshotIsTakenByItsFirstRead() throws {
    try save(Well("a", 1))
    let reader = MemoryReader(database)
    try reader.inSnapshot {
      try save(Well("b", 2))
      #expect(try depths(reader) == [1, 2])
      try save(Well("c", 3))
      #expect(try depths(reader) == [1, 2])
    }
    #expect(try depths(reader) == [1, 2, 3])
  }

  @Test func aTransactionReadsItsOwnWrites() throws {
    let reader = MemoryReader(database)
    try database.writeBlocking { engine in
      let objects = ObjectTransaction(engine)
      _ = try objects.save([Well("a", 1)], ObjectSchema.of(Well.self))
      #expect(try depths(engine.reader) == [1])
      #expect(try depths(reader).isEmpty)
    }
    #expect(try depths(reader) == [1])
  }

  @Test func aNestedPartThatThrowsIsRolledBack() throws {
    let (first, second) = (Well("a", 1), Well("b", 2))
    try database.writeBlocking { engine in
      let objects = ObjectTransaction(engine)
      let schema = try ObjectSchema.of(Well.self)
      _ = try objects.save([first], schema)
      #expect(throws: CancellationError.self) {
        try objects.nested(isOneRow: false) {
          first.depth = 5
          _ = try objects.save([first, second], schema)
          throw CancellationError()
        }
      }
      #expect(try depths(engine.reader) == [1])
    }
    #expect(second.zIndex == nil)
    try save(second)
    #expect(second.zIndex?.rawValue == 2)
  }

  @Test func theErrorNamesTheColumnOfAUniqueConstraint() throws {
    try save(Well("a", 1))
    let error = #expect(throws: MagicError.self) { try save(Well("b", 1)) }
    #expect(error?.code == .notUnique)
    #expect(error?.property == "depth")
    #expect(error?.type == "Well")
    #expect(try database.readBlocking { try depths($0) } == [1])
  }
}

final class Well: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var name: String
  @MagicValue(.unique) var depth: Int = 0

  init() {}

  init(_ name: String, _ depth: Int) {
    self.name = name
    self.depth = depth
  }
}
