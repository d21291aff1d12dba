public import MagicSQLite

/// A value as the file has it, copied up to a limit of bytes.
public struct InspectedValue: Hashable, Sendable {
  /// The value, by its storage class.
  public enum Stored: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  /// The value. Invalid UTF-8 in a text is repaired.
  public let stored: Stored
  /// The size of a text or blob in the file, in bytes. If it is larger than ``stored``, that has
  /// only the first part. For a text on a server, the size of what was read.
  public let byteCount: Int
  /// Whether only the first part of the value was copied.
  public let isTruncated: Bool

  /// Creates a whole value.
  public init(_ stored: Stored) {
    self.stored = stored
    isTruncated = false
    switch stored {
    case .text(let text): byteCount = text.utf8.count
    case .blob(let bytes): byteCount = bytes.count
    default: byteCount = 0
    }
  }

  /// Copies a column of the current row.
  ///
  /// - Parameter limit: the maximum number of bytes to copy.
  public init(_ column: SQLiteColumn, limit: Int = .max) {
    switch column.type {
    case .null: self.init(.null)
    case .integer: self.init(.integer(column.integer))
    case .real: self.init(.real(column.real))
    case .text:
      let bytes = column.textBytes
      guard bytes.count > limit else {
        self.init(.text(String(decoding: bytes, as: UTF8.self)))
        return
      }
      self.init(
        truncated: .text(Self.wholeCharacters(bytes.prefix(limit))), byteCount: bytes.count)
    case .blob:
      let bytes = column.blobBytes
      guard bytes.count > limit else {
        self.init(.blob(Array(bytes)))
        return
      }
      self.init(truncated: .blob(Array(bytes.prefix(limit))), byteCount: bytes.count)
    }
  }

  /// Creates a text of which only the beginning may have been read.
  ///
  /// - Parameters:
  ///   - text: the text, or its first part, which has at least `limit` bytes.
  ///   - hasMore: whether only the first part was read.
  ///   - limit: the maximum number of bytes to keep.
  package init(beginning text: String, hasMore: Bool, limit: Int) {
    let byteCount = text.utf8.count
    guard byteCount > limit || hasMore else {
      self.init(.text(text))
      return
    }
    var text = text
    let first = text.withUTF8 { Self.wholeCharacters(UnsafeRawBufferPointer($0).prefix(limit)) }
    self.init(truncated: .text(first), byteCount: byteCount)
  }

  /// Creates data of which only the beginning may have been read.
  ///
  /// - Parameters:
  ///   - bytes: the data, or its first part, which has at least `limit` bytes.
  ///   - byteCount: the size of the whole data.
  ///   - limit: the maximum number of bytes to keep.
  package init(beginning bytes: [UInt8], byteCount: Int, limit: Int) {
    guard byteCount > limit else {
      self.init(.blob(bytes))
      return
    }
    self.init(truncated: .blob(Array(bytes.prefix(limit))), byteCount: byteCount)
  }

  /// The value with at most the first bytes of a text or blob.
  package func beginning(_ limit: Int) -> InspectedValue {
    switch stored {
    case .text(let text): InspectedValue(beginning: text, hasMore: false, limit: limit)
    case .blob(let bytes): InspectedValue(beginning: bytes, byteCount: byteCount, limit: limit)
    default: self
    }
  }

  private init(truncated stored: Stored, byteCount: Int) {
    self.stored = stored
    self.byteCount = byteCount
    isTruncated = true
  }

  /// Decodes UTF-8 without an incomplete character at its end.
  private static func wholeCharacters(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let following = bytes.reversed().prefix(3).prefix { (0x80..<0xC0).contains($0) }.count
    let first = bytes.dropLast(following).last ?? 0
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    let isIncomplete = following + 1 < length
    return String(decoding: bytes.dropLast(isIncomplete ? following + 1 : 0), as: UTF8.self)
  }

  /// Whether the value is NULL.
  public var isNull: Bool { stored == .null }

  /// The value as an integer; nil if it is not stored as one.
  public var integer: Int64? {
    if case .integer(let number) = stored { return number }
    return nil
  }

  /// The value as a number; nil if it is not stored as one.
  public var number: Double? {
    switch stored {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// The value as text; nil if it is not stored as text.
  public var text: String? {
    if case .text(let text) = stored { return text }
    return nil
  }

  /// The bytes of a blob; nil if it is not stored as one.
  public var bytes: [UInt8]? {
    if case .blob(let bytes) = stored { return bytes }
    return nil
  }

  func bind(to statement: SQLiteStatement, at index: Int) throws(SQLiteError) {
    switch stored {
    case .null: try statement.bindNull(at: index)
    case .integer(let number): try statement.bind(number, at: index)
    case .real(let number): try statement.bind(number, at: index)
    case .text(let text): try statement.bind(text, at: index)
    case .blob(let bytes):
      do {
        try bytes.withUnsafeBytes { try statement.bind(blob: $0, at: index) }
      } catch let error as SQLiteError {
        throw error
      } catch {}
    }
  }
}
