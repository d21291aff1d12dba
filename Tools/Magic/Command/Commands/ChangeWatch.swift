import MagicInspection

/// Compares the rows of types with those of the last call.
struct ChangeWatch: Sendable {
  private var tables: [String: State] = [:]
  private var isFirst = true
  /// The maximum number of rows of a type whose values are compared.
  private static let rowLimit = 100_000

  /// What is known of a type's rows.
  private enum State: Sendable {
    /// The hashes of the values of each row, by row ID.
    case rows([Int64: [Int]])
    case count(Int)
  }

  /// A change of one object, or of the number of objects of a type.
  struct Change: Sendable {
    enum Kind: String { case inserted, changed, deleted, count }
    let kind: Kind
    let type: String
    let rowID: Int64?
    let label: String?
    /// The new values of the properties that have changed.
    let values: [(name: String, value: InspectedValue, form: InspectedForm)]
    /// The number of objects, if only that is compared.
    var count = 0
  }

  /// Returns the changes since the last call; none for the first call.
  ///
  /// - Parameters:
  ///   - name: the name of the only type; nil for all types.
  ///   - reader: a reader that is in a snapshot.
  mutating func changes(of name: String?, _ reader: any DatabaseReading) throws -> [Change] {
    reader.valueLimit = 4_096
    let database = try reader.database()
    let types = try name.map { [try database.type(named: $0)] } ?? database.types
    var found: [Change] = []
    for type in types { found += try changes(of: type, reader) }
    for table in tables.keys where name == nil && database.type(ofTable: table) == nil {
      tables[table] = nil
    }
    defer { isFirst = false }
    return isFirst ? [] : found
  }

  private mutating func changes(
    of type: InspectedType, _ reader: any DatabaseReading
  ) throws -> [Change] {
    let count = try reader.count(of: type, within: .seconds(10)).number
    guard count <= Self.rowLimit else {
      let old = tables.updateValue(.count(count), forKey: type.table)
      if case .count(let number)? = old, number == count { return [] }
      return [
        Change(kind: .count, type: type.name, rowID: nil, label: nil, values: [], count: count)
      ]
    }
    var old: [Int64: [Int]] = [:]
    if case .rows(let rows)? = tables[type.table] { old = rows }
    var new: [Int64: [Int]] = [:]
    new.reserveCapacity(count)
    var found: [Change] = []
    try reader.forEachRow(of: type) { row in
      let hashes = row.values.map(\.hashValue)
      new[row.rowID] = hashes
      let before = old.removeValue(forKey: row.rowID)
      guard before != hashes, !isFirst else { return }
      let isSameType = before?.count == hashes.count
      let changed = type.columns.indices.filter { !isSameType || before?[$0] != hashes[$0] }
      found.append(
        Change(
          kind: before == nil ? .inserted : .changed, type: type.name, rowID: row.rowID,
          label: label(of: row, type),
          values: changed.map {
            (type.columns[$0].property, row.values[$0], type.columns[$0].form)
          }))
    }
    found += old.keys.sorted().map {
      Change(kind: .deleted, type: type.name, rowID: $0, label: nil, values: [])
    }
    tables[type.table] = .rows(new)
    return found
  }

  private func label(of row: InspectedRow, _ type: InspectedType) -> String? {
    guard let column = type.labelColumn, let index = type.columns.firstIndex(of: column) else {
      return nil
    }
    return row.values[index].text(as: column.form).map { InspectedText.line($0) }
  }
}

extension ChangeWatch.Change {
  var text: String {
    let name = InspectedText.line(type)
    guard let rowID else { return "\(name)  now \(count.counted("object"))" }
    var text = "\(kind.rawValue)  \(name) #\(rowID)"
    if let label { text += "  \(label)" }
    guard kind == .changed else { return text }
    let list = values.map { name, value, form in
      "\(InspectedText.line(name)): \(InspectedText.line(value.text(as: form) ?? "NULL", limit: 60))"
    }
    return text + "  " + list.joined(separator: ", ")
  }

  var json: [JSONNode.Member] {
    var members: [JSONNode.Member] = [
      .init("change", .string(kind.rawValue)), .init("type", .string(type)),
    ]
    guard let rowID else { return members + [.init("count", .integer(Int64(count)))] }
    members += [.init("row", .integer(rowID)), .init("label", .string(orNull: label))]
    if kind != .deleted {
      let list = values.map { JSONNode.Member($0.name, $0.value.json(as: $0.form)) }
      members.append(.init("values", .object(list)))
    }
    return members
  }
}
