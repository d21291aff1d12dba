import Foundation
import MagicAssets
import MagicEngine
import MagicGraph
import MagicRelations
import MagicSchema
import MagicStore
import SQLiteEngine

/// Compares the values that a store fetches with the contents of the tables.
struct ValueComparison {
  let store: MagicObjectStore
  let raw: RawDatabase
  let directory: RunDirectory
  /// A deliberate flaw, or nil.
  var flaw: ValueFlaw?

  /// Fetches and compares every scalar separately, so that an unreadable row does not affect
  /// others.
  func compareScalars() throws {
    let columns = Array(Scalar.expected.keys)
    let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    for row in try raw.rows("SELECT z_index, \(list) FROM Scalar") {
      guard case .integer(let zIndex)? = row.first else { continue }
      var expected: [String: ExpectedValue] = [:]
      for (column, value) in zip(columns, row.dropFirst()) {
        expected[column] = Scalar.expected[column]?(value)
      }
      try compare(zIndex, expected)
    }
  }

  private func compare(_ zIndex: Int64, _ expected: [String: ExpectedValue]) throws {
    let scalar: Scalar?
    do {
      scalar = try fetch(zIndex)
    } catch let error as MagicError {
      guard error.code == .cannotDecode else {
        throw Finding("a row of scalars threw \(error.code)")
      }
      guard expected.values.contains(where: { $0 == .error || $0 == .any }) else {
        throw Finding("row \(zIndex) is valid, but its fetch threw: \(error)")
      }
      return
    }
    guard let texts = scalar?.texts else { throw Finding("row \(zIndex) is not found") }
    for (column, expectation) in expected {
      switch expectation {
      case .any: break
      case .error: throw Finding("\(column) of row \(zIndex) is invalid, but was fetched")
      case .value(let text):
        guard texts[column] == text else {
          throw Finding("\(column) of row \(zIndex) is \(text), not \(texts[column] ?? "")")
        }
      }
    }
  }

  private func fetch(_ zIndex: Int64) throws -> Scalar? {
    let schema = try ObjectSchema.of(Scalar.self)
    do {
      return try store._read {
        try $0.reader.objects(of: Scalar.self, schema, at: [zIndex]).first ?? nil
      }
    } catch  where flaw == .readsInvalidValues {
      return Scalar(number: 1)
    }
  }

  /// Compares the lists and sets of roots, if all their references are valid.
  func compareLinks() throws {
    guard let roots = try? store.object(of: Root.self) else { return }
    for root in roots {
      guard let zIndex = root.zIndex?.rawValue else {
        throw Finding("a fetched row has no row ID")
      }
      try compare(root.list.map(\.zIndex), zIndex, "list", "position")
      try compare(root.group.map(\.zIndex), zIndex, "group", "target")
      try compare(root.names.mapValues { $0.zIndex?.rawValue ?? 0 }, zIndex)
    }
  }

  /// Compares a dictionary, if its keys are distinct texts.
  private func compare(_ names: [String: Int64], _ owner: Int64) throws {
    var expected: [String: Int64] = [:]
    for row in try raw.rows(
      "SELECT \"key\", target FROM \"magic_Root.names\" WHERE owner = ?", [.integer(owner)])
    {
      guard case .text(let bytes) = row[0], case .integer(let target) = row[1],
        ExpectedValue.text(row[0]) != .error,
        try raw.rows("SELECT 1 FROM Leaf WHERE z_index = ?", [.integer(target)]).count == 1,
        expected.updateValue(target, forKey: String(decoding: bytes, as: UTF8.self)) == nil
      else { return }
    }
    guard names == expected else {
      throw Finding("names of row \(owner) are \(expected), not \(names)")
    }
  }

  /// Compares the values of assets whose file exists.
  func compareFiles() throws {
    guard let photos = try? store.object(of: Photo.self) else { return }
    let files = try Template.get().files
    for photo in photos {
      let row = try raw.rows(
        "SELECT image FROM Photo WHERE z_index = ?", [.integer(photo.zIndex?.rawValue ?? 0)])
      guard case .text(let bytes)?? = row.first?.first else { continue }
      let name = String(decoding: bytes, as: UTF8.self)
      let path = directory.database + "-assets/" + name
      if let content = files[name], FileManager.default.fileExists(atPath: path) {
        guard photo.image.value.map({ Array($0) }) == content else {
          throw Finding("\(name) is not fetched")
        }
      } else if photo.image.value != nil {
        throw Finding("an asset without a file has a value")
      }
    }
  }

  private func compare(
    _ members: [ZIndex?], _ owner: Int64, _ property: String, _ order: String
  ) throws {
    let rows = try raw.rows(
      "SELECT target, typeof(\(order)) FROM \"magic_Root.\(property)\" WHERE owner = ? ORDER BY \(order)",
      [.integer(owner)])
    var expected: [Int64] = []
    for row in rows {
      guard case .integer(let target) = row[0], row[1] == .text("integer"),
        try raw.rows("SELECT 1 FROM Leaf WHERE z_index = ?", [.integer(target)]).count == 1
      else { return }
      expected.append(target)
    }
    guard members.map({ $0?.rawValue }) == expected else {
      throw Finding("\(property) of row \(owner) is \(expected), not \(members)")
    }
  }
}

/// A deliberate flaw that a comparison must find.
public enum ValueFlaw: Sendable, CaseIterable {
  /// An invalid value is replaced by a valid one.
  case readsInvalidValues
  /// A save writes columns that were not changed.
  case writesUnchangedColumns
}
