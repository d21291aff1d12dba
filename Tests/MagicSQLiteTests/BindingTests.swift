import MagicSQLite
import Testing

@Suite struct BindingTests {
  /// Binds a value, stores it in a column without affinity, and reads it from the table.
  private func stored<Value>(
    _ bind: (SQLiteStatement) throws -> Void, read: (SQLiteColumn) -> Value
  ) throws -> Value {
    let connection = try memory()
    try connection.execute("CREATE TABLE t (a)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?)")
    try bind(insert)
    try insert.run()
    let select = try connection.prepare("SELECT a FROM t")
    #expect(try select.step())
    return read(select.column(0))
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max, 1 << 53 + 1])
  func integersAreReadExactly(_ value: Int64) throws {
    let (type, back) = try stored {
      try $0.bind(value, at: 1)
    } read: {
      ($0.type, $0.integer)
    }
    #expect(type == .integer)
    #expect(back == value)
  }

  @Test(arguments: [0.1, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, 3.0, 1e300])
  func realsAreReadBitForBit(_ value: Double) throws {
    let (type, back) = try stored {
      try $0.bind(value, at: 1)
    } read: {
      ($0.type, $0.real)
    }
    #expect(type == .real)
    #expect(back.bitPattern == value.bitPattern)
  }

  @Test func NaNIsStoredAsNull() throws {
    #expect(
      try stored {
        try $0.bind(Double.nan, at: 1)
      } read: {
        $0.isNull
      })
  }

  @Test(arguments: [
    "", "a", "\0", "a\0b\0", "Grüße 👩‍👩‍👧‍👦", "e\u{301}", String(repeating: "ä", count: 5_000),
  ])
  func textIsReadByteForByte(_ value: String) throws {
    let (type, back) = try stored {
      try $0.bind(value, at: 1)
    } read: {
      ($0.type, Array($0.textBytes))
    }
    #expect(type == .text)
    #expect(back == Array(value.utf8))
  }

  @Test func theEmptyTextIsNotNull() throws {
    #expect(
      try stored {
        try $0.bind("", at: 1)
      } read: {
        !$0.isNull && $0.text == ""
      })
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(
      try stored {
        try $0.bind(text: none, at: 1)
      } read: {
        $0.type
      } == .text)
  }

  @Test func theEmptyBlobIsNotNull() throws {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(
      try stored {
        try $0.bind(blob: none, at: 1)
      } read: {
        $0.type
      } == .blob)
    let type = try stored { statement in
      try [UInt8(1)].withUnsafeBytes {
        try statement.bind(blob: UnsafeRawBufferPointer(rebasing: $0[0..<0]), at: 1)
      }
    } read: {
      $0.type
    }
    #expect(type == .blob)
  }

  @Test func blobsAreReadByteForByte() throws {
    let bytes = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let back = try stored { statement in
      try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: 1) }
    } read: {
      Array($0.blobBytes)
    }
    #expect(back == bytes)
  }

  @Test func boundBytesAreCopied() throws {
    let statement = try memory().prepare("SELECT ?1, ?2")
    var text = Array("text".utf8)
    var blob: [UInt8] = [1, 2, 3]
    try text.withUnsafeBytes { try statement.bind(text: $0, at: 1) }
    try blob.withUnsafeBytes { try statement.bind(blob: $0, at: 2) }
    text = Array("TEXT".utf8)
    blob = [9, 9, 9]
    #expect(try statement.step())
    #expect(statement.column(0).text == "text")
    #expect(Array(statement.column(1).blobBytes) == [1, 2, 3])
  }

  @Test func nullReplacesAValue() throws {
    let statement = try memory().prepare("SELECT ?")
    try statement.bind(Int64(1), at: 1)
    try statement.bindNull(at: 1)
    #expect(try statement.step())
    #expect(statement.column(0).isNull)
    #expect(statement.column(0).type == .null)
    #expect(statement.column(0).integer == 0)
    #expect(statement.column(0).real == 0)
    #expect(statement.column(0).text == "")
    #expect(statement.column(0).blobBytes.isEmpty)
  }

  @Test(arguments: [0, -1, 3, .max, .min, 1 << 32 + 1])
  func aMissingParameterIsRefused(_ index: Int) throws {
    let statement = try memory().prepare("SELECT ?, ?")
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(sqliteError { try statement.bind(Int64(1), at: index) }?.code == .range)
    #expect(sqliteError { try statement.bind(1.5, at: index) }?.code == .range)
    #expect(sqliteError { try statement.bind("a", at: index) }?.code == .range)
    #expect(sqliteError { try statement.bind(text: none, at: index) }?.code == .range)
    #expect(sqliteError { try statement.bind(blob: none, at: index) }?.code == .range)
    #expect(sqliteError { try statement.bindNull(at: index) }?.code == .range)
    #expect(try statement.step())
    #expect(statement.column(0).isNull)
    #expect(statement.column(1).isNull)
  }

  @Test func brokenUTF8IsRepairedInTextAndShownInItsBytes() throws {
    let statement = try memory().prepare("SELECT CAST(x'61ff62' AS TEXT)")
    #expect(try statement.step())
    #expect(statement.column(0).text == "a\u{fffd}b")
    #expect(Array(statement.column(0).textBytes) == [0x61, 0xff, 0x62])
  }

  @Test func anotherTypeIsConvertedAsSQLiteDoes() throws {
    let statement = try memory().prepare("SELECT '12abc', 1.9, x'3132'")
    #expect(try statement.step())
    #expect(statement.column(0).integer == 12)
    #expect(statement.column(1).integer == 1)
    #expect(statement.column(2).text == "12")
  }

  @Test func aBlobBeyondTheLimitIsTooBig() throws {
    let connection = try memory()
    let error = sqliteError { _ = try connection.integer("SELECT zeroblob(1000000001)") }
    #expect(error?.code == .tooBig)
  }
}
