import MagicSQLite
import Testing

@Suite struct ParameterArenaTests {
  private func row(
    of statement: SQLiteStatement, bind: () throws -> Void
  ) throws -> ([UInt8], [UInt8], SQLiteColumnType) {
    try bind()
    #expect(try statement.step())
    defer { statement.reset() }
    return (
      Array(statement.column(0).textBytes), Array(statement.column(1).blobBytes),
      statement.column(1).type
    )
  }

  @Test(arguments: [0, 1, 1_000, 65_536, 65_537, 200_000])
  func bytesOfAnyLengthAreReadUnchanged(_ count: Int) throws {
    let statement = try memory().prepare("SELECT ?, ?")
    let arena = ParameterArena()
    let bytes = [UInt8](repeating: 0x61, count: count)
    let (text, blob, type) = try row(of: statement) {
      try bytes.withUnsafeBytes { try statement.bind(text: $0, at: 1, in: arena) }
      try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 2, in: arena) }
    }
    #expect(text == bytes)
    #expect(blob == bytes)
    #expect(type == .blob)
  }

  @Test func boundBytesAreCopied() throws {
    let statement = try memory().prepare("SELECT ?, ?")
    let arena = ParameterArena()
    var bytes: [UInt8] = [1, 2, 3]
    let (_, blob, _) = try row(of: statement) {
      try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 2, in: arena) }
      bytes = [9, 9, 9]
    }
    #expect(blob == [1, 2, 3])
  }

  @Test func theMemoryIsUsedAgainAfterAReset() throws {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a, b)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?, ?)")
    let arena = ParameterArena()
    for number in 0..<100 {
      let bytes = [UInt8](repeating: 0x30 + UInt8(number % 10), count: 10_000)
      try bytes.withUnsafeBytes { try insert.bind(text: $0, at: 1, in: arena) }
      try bytes.withUnsafeBytes { try insert.bind(blob: $0, at: 2, in: arena) }
      try insert.run()
      arena.reset()
    }
    let whole = "SELECT count(*) FROM t WHERE length(a) = 10000 AND CAST(a AS BLOB) = b"
    #expect(try connection.integer(whole) == 100)
    #expect(try connection.integer("SELECT count(DISTINCT a) FROM t") == 10)
  }

  @Test func aMissingParameterIsRefused() throws {
    let statement = try memory().prepare("SELECT ?")
    let arena = ParameterArena()
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    for index in [0, 2, Int.max, 1 << 32 + 1] {
      #expect(sqliteError { try statement.bind(text: none, at: index, in: arena) }?.code == .range)
      #expect(sqliteError { try statement.bind(blob: none, at: index, in: arena) }?.code == .range)
    }
  }
}
