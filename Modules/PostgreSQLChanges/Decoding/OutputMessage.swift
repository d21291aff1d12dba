/// A message of the plugin `pgoutput`, version 1, as "Logical Replication Message Formats" of
/// PostgreSQL defines it. Rows refer to the bytes of the message.
package enum OutputMessage {
  /// - Parameter transaction: the low 32 bits of the number of the transaction.
  case begin(transaction: UInt32)
  /// - Parameter end: the position in the log after the commit.
  case commit(end: UInt64)
  case relation(Relation)
  /// A row before and after its change. The old row is complete if the table has the replica identity
  /// `FULL`.
  case change(relation: UInt32, old: StreamedRow?, new: StreamedRow?)
  case truncate([UInt32])
  /// A message that a transaction has written to the log.
  case message(prefix: String, content: UnsafeRawBufferPointer)
  /// The definition of a type, or the origin of a transaction.
  case other

  /// The description of a table.
  package struct Relation: Equatable, Sendable {
    package let number: UInt32
    package let schema: String
    package let name: String
    package let columns: [Column]

    package struct Column: Equatable, Sendable {
      package let name: String
      package let type: UInt32
    }
  }

  /// - Throws: ``MalformedMessage``.
  package init(_ bytes: UnsafeRawBufferPointer) throws {
    var cursor = ByteCursor(bytes)
    switch try cursor.byte() {
    case UInt8(ascii: "B"):
      // The position of the commit, and its time.
      _ = try cursor.bytes(16)
      self = .begin(transaction: try cursor.integer())
    case UInt8(ascii: "C"):
      _ = try cursor.bytes(9)
      self = .commit(end: try cursor.integer())
    case UInt8(ascii: "R"): self = .relation(try Relation(&cursor))
    case UInt8(ascii: "I"):
      let number = try cursor.integer(UInt32.self)
      try Self.expect("N", try cursor.byte())
      self = .change(relation: number, old: nil, new: try StreamedRow(&cursor))
    case UInt8(ascii: "U"): self = try Self.update(&cursor)
    case UInt8(ascii: "D"):
      let number = try cursor.integer(UInt32.self)
      let isComplete = try Self.isComplete(try cursor.byte())
      self = .change(
        relation: number, old: try StreamedRow(&cursor, isComplete: isComplete), new: nil)
    case UInt8(ascii: "T"):
      let count = Int(try cursor.integer(Int32.self))
      _ = try cursor.byte()
      guard count >= 0, count <= cursor.remaining.count / 4 else {
        throw MalformedMessage("A message has a number of tables that it does not contain.")
      }
      self = .truncate(try (0..<count).map { _ in try cursor.integer(UInt32.self) })
    case UInt8(ascii: "M"):
      _ = try cursor.bytes(9)
      let prefix = try cursor.text()
      let length = Int(try cursor.integer(Int32.self))
      self = .message(prefix: prefix, content: try cursor.bytes(length))
    case UInt8(ascii: "Y"), UInt8(ascii: "O"): self = .other
    default: throw MalformedMessage("A message of the log has an unknown type.")
    }
  }

  private static func update(_ cursor: inout ByteCursor) throws -> OutputMessage {
    let number = try cursor.integer(UInt32.self)
    var kind = try cursor.byte()
    var old: StreamedRow?
    if kind != UInt8(ascii: "N") {
      old = try StreamedRow(&cursor, isComplete: isComplete(kind))
      kind = try cursor.byte()
    }
    try expect("N", kind)
    return .change(relation: number, old: old, new: try StreamedRow(&cursor))
  }

  /// Whether an old row is complete. Else it has only the columns of the key.
  private static func isComplete(_ kind: UInt8) throws -> Bool {
    if kind == UInt8(ascii: "O") { return true }
    try expect("K", kind)
    return false
  }

  private static func expect(_ expected: Unicode.Scalar, _ found: UInt8) throws {
    guard found == UInt8(ascii: expected) else {
      throw MalformedMessage("A part of a row has an unknown type.")
    }
  }
}

extension OutputMessage.Relation {
  init(_ cursor: inout ByteCursor) throws {
    number = try cursor.integer()
    let schema = try cursor.text()
    // The protocol shortens the name of this schema to an empty text.
    self.schema = schema.isEmpty ? "pg_catalog" : schema
    name = try cursor.text()
    _ = try cursor.byte()
    let count = Int(try cursor.integer(UInt16.self))
    columns = try (0..<count).map { _ in
      _ = try cursor.byte()
      let name = try cursor.text()
      let type = try cursor.integer(UInt32.self)
      _ = try cursor.bytes(4)
      return Column(name: name, type: type)
    }
  }
}

/// A row of a message.
package struct StreamedRow {
  package enum Value {
    case null
    /// A large value that the change has not changed, and that the message does not contain.
    case unchanged
    case bytes(UnsafeRawBufferPointer)
  }

  package let values: [Value]
  /// Whether all columns have values, and not only those of the key.
  package let isComplete: Bool

  package init(_ values: [Value], isComplete: Bool = true) {
    (self.values, self.isComplete) = (values, isComplete)
  }

  init(_ cursor: inout ByteCursor, isComplete: Bool = true) throws {
    self.isComplete = isComplete
    let count = Int(try cursor.integer(UInt16.self))
    values = try (0..<count).map { _ in
      switch try cursor.byte() {
      case UInt8(ascii: "n"): return .null
      case UInt8(ascii: "u"): return .unchanged
      case UInt8(ascii: "t"), UInt8(ascii: "b"):
        return .bytes(try cursor.bytes(Int(try cursor.integer(Int32.self))))
      default: throw MalformedMessage("A value of a row has an unknown type.")
      }
    }
  }

  /// Creates the row of a value that `record_send` returns, and the types of its columns.
  ///
  /// - Throws: ``MalformedMessage``.
  package static func record(
    _ bytes: UnsafeRawBufferPointer
  ) throws -> (row: StreamedRow, types: [UInt32]) {
    var cursor = ByteCursor(bytes)
    let count = Int(try cursor.integer(Int32.self))
    guard count >= 0, count <= cursor.remaining.count / 8 else {
      throw MalformedMessage("A row has a number of columns that it does not contain.")
    }
    var (values, types): ([Value], [UInt32]) = ([], [])
    for _ in 0..<count {
      types.append(try cursor.integer())
      let length = Int(try cursor.integer(Int32.self))
      values.append(length == -1 ? .null : .bytes(try cursor.bytes(length)))
    }
    return (StreamedRow(values), types)
  }
}
