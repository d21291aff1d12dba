import Foundation
import MagicData
import MagicInspection

/// The stored values of an object, with the members of its collections.
struct StoredObject: Sendable {
  /// The values, in the order of the columns.
  let values: [InspectedValue]
  /// The row IDs of the members, by the names of the relationships; only for those with few members.
  let members: [String: [Int64]]
  /// Differs when a value or a member differs.
  let mark: String

  /// The largest number of members that a form contains.
  static let memberLimit = 500

  /// Reads an object; nil if there is no such row.
  static func read(
    _ rowID: Int64, of type: InspectedType, in snapshot: borrowing MagicSnapshot
  ) throws -> StoredObject? {
    let columns = ["z_index"] + type.columns.map(\.column.quoted)
    let found = try snapshot.sql(
      """
      SELECT \(raw: columns.joined(separator: ", ")) FROM \(raw: type.table.quoted)
      WHERE z_index = \(rowID)
      """
    ).rows()
    guard let row = found.first else { return nil }
    var members: [String: [Int64]] = [:]
    for relationship in type.relationships {
      guard let sql = memberSQL(of: relationship) else { continue }
      let rows = try snapshot.sql(
        "\(raw: sql.select) WHERE \(raw: sql.owner) = \(rowID) ORDER BY \(raw: sql.order) LIMIT 501"
      ).rows(Int64.self)
      members[relationship.property] = rows
    }
    let values = row.values.dropFirst().map(InspectedValue.init)
    return StoredObject(
      values: values, members: members.filter { $0.value.count <= memberLimit },
      mark: RowDigest(values, members).text)
  }

  /// The parts of the statement that finds members; nil for a relationship that forms do not change.
  private static func memberSQL(
    of relationship: InspectedRelationship
  ) -> (select: String, owner: String, order: String)? {
    switch (relationship.source, relationship.form) {
    case (.joinTable(let table), .list):
      ("SELECT target FROM \(table.quoted)", "owner", "position")
    case (.joinTable(let table), .set):
      ("SELECT target FROM \(table.quoted)", "owner", "target")
    case (.owned(let owner, let position), _):
      ("SELECT z_index FROM \(relationship.target.quoted)", owner.quoted, position.quoted)
    default: nil
    }
  }

  /// What the field of a property contains.
  func text(of field: EditField, _ type: InspectedType) -> FieldText {
    switch field.source {
    case .column(let column):
      guard let index = type.columns.firstIndex(of: column) else { return .null }
      return FieldText(values[index].text(as: column.form))
    case .members(let relationship):
      let rows = members[relationship.property] ?? []
      return .text(rows.map(String.init).joined(separator: "\n"))
    }
  }

  /// What the fields contain, by their properties. In a file of unknown origin two properties can have
  /// equal names: the first one counts.
  func texts(of fields: [EditField], _ type: InspectedType) -> [String: FieldText] {
    Dictionary(fields.map { ($0.property, text(of: $0, type)) }) { first, _ in first }
  }

  /// Why a field of this object cannot be edited, although others of its property can; nil if it can.
  func obstacle(to field: EditField, _ type: InspectedType) -> String? {
    if case .members(let relationship) = field.source {
      return members[relationship.property] == nil
        ? "It has more than \(Self.memberLimit) members." : nil
    }
    guard let text = text(of: field, type).text else { return nil }
    if text.utf8.count > EditField.textLimit { return "It is longer than 64 KiB." }
    return FieldText.canShow(text) ? nil : "It has characters that a page does not show."
  }
}

extension FieldText {
  /// A digest of the text, by which a form that is sent back shows which fields were changed.
  var mark: String {
    let stored = text.map(InspectedValue.Stored.text) ?? .null
    return RowDigest([InspectedValue(stored)], [:]).text
  }
}

extension InspectedValue {
  fileprivate init(_ value: MagicSQLValue) {
    switch value {
    case .null: self.init(Stored.null)
    case .integer(let number): self.init(Stored.integer(number))
    case .real(let number): self.init(Stored.real(number))
    case .text(let text): self.init(Stored.text(text))
    case .blob(let data): self.init(Stored.blob(Array(data)))
    }
  }
}

/// A digest of values, 128 bits: two FNV-1a hashes (Fowler, Noll, Vo) with different offsets. It
/// detects changes, and protects against no one.
private struct RowDigest {
  private var high: UInt64 = 0xCBF2_9CE4_8422_2325
  private var low: UInt64 = 0x6C62_272E_07BB_0142

  init(_ values: [InspectedValue], _ members: [String: [Int64]]) {
    for value in values { add(value) }
    for (name, rows) in members.sorted(by: { $0.key < $1.key }) {
      add(5, name.utf8)
      for row in rows { add(number: row) }
    }
  }

  var text: String { String(high, radix: 16) + "-" + String(low, radix: 16) }

  private mutating func add(_ value: InspectedValue) {
    switch value.stored {
    case .null: add(byte: 0)
    case .integer(let number):
      add(byte: 1)
      add(number: number)
    case .real(let number):
      add(byte: 2)
      add(number: Int64(bitPattern: number.bitPattern))
    case .text(let text): add(3, text.utf8)
    case .blob(let bytes): add(4, bytes)
    }
  }

  private mutating func add(_ kind: UInt8, _ bytes: some Collection<UInt8>) {
    add(byte: kind)
    add(number: Int64(bytes.count))
    for byte in bytes { add(byte: byte) }
  }

  private mutating func add(number: Int64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      add(byte: UInt8(truncatingIfNeeded: number >> Int64(shift)))
    }
  }

  private mutating func add(byte: UInt8) {
    high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    low = (low ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
}
