import DatabaseTransfer
import MagicRuntime

/// Reads rows from lines of JSON, as ``JSONLineWriter`` writes them. The members may be in any order,
/// and a missing one is null.
struct JSONLineReader {
  private let names: [String]
  private let keys: [[UInt8]]
  private let kinds: [TransferredKind]
  private let areNullable: [Bool]

  /// What is wrong with a line.
  struct Fault: Error {
    let reason: String
    /// The index of the column; nil if the fault concerns the line.
    var column: Int?
  }

  init(_ rows: TransferredRows) {
    (names, kinds) = (rows.names, rows.kinds)
    keys = names.map { Array($0.utf8) }
    switch rows.content {
    case .objects: areNullable = [false] + rows.table.columns.map(\.isNullable)
    case .members: areNullable = Array(repeating: false, count: rows.names.count)
    }
  }

  func row(_ line: UnsafeRawBufferPointer) throws(Fault) -> [TransferredValue] {
    var values: [TransferredValue?] = Array(repeating: nil, count: kinds.count)
    // The members are usually in the order of the columns.
    var expected = 0
    do {
      let isObject = try JSONScanner.forEachMember(of: line) { key, bytes in
        guard let column = try column(key, expected) else {
          throw Fault(reason: "it has a member that the description of the table does not have")
        }
        guard values[column] == nil else {
          throw Fault(reason: "it has a member twice", column: column)
        }
        values[column] = try Self.value(bytes, kinds[column], column)
        expected = column + 1
      }
      guard isObject else { throw Fault(reason: "it is not one object of JSON") }
    } catch let fault as Fault {
      throw fault
    } catch {
      throw Fault(reason: "it cannot be read")
    }
    for (column, value) in values.enumerated() where !areNullable[column] {
      guard let value, value != .null else {
        throw Fault(reason: "a value is missing", column: column)
      }
    }
    return values.map { $0 ?? .null }
  }

  private func column(_ key: UnsafeRawBufferPointer, _ expected: Int) throws(Fault) -> Int? {
    if key.hasEscapes {
      guard let name = JSONText.decoded(key) else { throw Fault(reason: "a name is not valid") }
      return keys.firstIndex(of: name)
    }
    if expected < keys.count, keys[expected].elementsEqual(key) { return expected }
    return keys.firstIndex { $0.elementsEqual(key) }
  }

  private static func value(
    _ bytes: UnsafeRawBufferPointer, _ kind: TransferredKind, _ column: Int
  ) throws(Fault) -> TransferredValue {
    if bytes.elementsEqual("null".utf8) { return .null }
    let value: TransferredValue? =
      switch kind {
      case .integer: integer(bytes)
      case .boolean: boolean(bytes)
      case .real: real(bytes)
      case .text: text(bytes)
      case .blob: JSONText.quoted(bytes).flatMap(Base64.bytes).map { .blob($0) }
      case .uuid:
        JSONText.quoted(bytes).flatMap { TransferredValue(uuidText: $0) }
      }
    guard let value else {
      throw Fault(reason: "a value is not \(noun(kind))", column: column)
    }
    return value
  }

  private static func noun(_ kind: TransferredKind) -> String {
    switch kind {
    case .integer: "an integer of 64 bits"
    case .boolean: "true or false"
    case .real: "a number"
    case .text: "a text"
    case .blob: "a text in Base64"
    case .uuid: "the text of a UUID"
    }
  }

  private static func integer(_ bytes: UnsafeRawBufferPointer) -> TransferredValue? {
    guard JSONText.isNumber(bytes) else { return nil }
    return Int64(String(decoding: bytes, as: UTF8.self)).map { .integer($0) }
  }

  private static func boolean(_ bytes: UnsafeRawBufferPointer) -> TransferredValue? {
    if bytes.elementsEqual("true".utf8) { return .boolean(true) }
    return bytes.elementsEqual("false".utf8) ? .boolean(false) : nil
  }

  private static func real(_ bytes: UnsafeRawBufferPointer) -> TransferredValue? {
    if let name = JSONText.quoted(bytes) {
      switch String(decoding: name, as: UTF8.self) {
      case "Infinity": return .real(.infinity)
      case "-Infinity": return .real(-.infinity)
      case "NaN": return .real(.nan)
      default: return nil
      }
    }
    guard JSONText.isNumber(bytes), let real = Double(String(decoding: bytes, as: UTF8.self)),
      real.isFinite
    else { return nil }
    return .real(real)
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> TransferredValue? {
    if let text = JSONText.quoted(bytes) { return JSONText.decoded(text).map { .text($0) } }
    var result: [UInt8]?
    let isObject = JSONScanner.forEachMember(of: bytes) { key, value in
      if key.elementsEqual("base64".utf8), let text = JSONText.quoted(value) {
        result = Base64.bytes(of: text)
      }
    }
    return isObject && JSONScanner.count(bytes) == 1 ? result.map { .text($0) } : nil
  }
}
