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
        guard let value = JSONScalar.value(bytes, kinds[column]) else {
          throw Fault(reason: "a value is not \(JSONScalar.noun(kinds[column]))", column: column)
        }
        values[column] = value
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
}
