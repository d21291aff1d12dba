import DatabaseTransfer
import MagicExchange
import MagicRuntime
import MagicSchema
import Magical

/// The columns of an imported file, with their properties, and the conversion of records to objects of
/// JSON.
struct ImportColumns {
  struct Column {
    let name: String
    /// The name in UTF-8.
    let key: [UInt8]
    /// The index of the property; nil if there is none.
    let slot: Int?
    let property: ImportTarget?
    /// Whether the column is left out because the import says so.
    let isLeftOut: Bool
    var values = 0
  }

  /// Why a record cannot be converted.
  struct Fault: Error {
    var code = MagicError.Code.cannotDecode
    var column: String?
    let reason: String
  }

  let targets: [ImportTarget]
  private let property: @Sendable (String) -> String?
  let dates: MagicImportDates
  private(set) var columns: [Column] = []
  private var places: [[UInt8]: Int] = [:]
  /// The number of bytes of the names of the columns.
  private var nameSize = 0
  /// Whether records of JSON have keys that are not among the columns, because these are limited.
  private(set) var hasUnlisted = false
  /// The number of values of JSON with keys that are not among the columns, and have no property.
  private(set) var unlistedValues = 0
  /// Whether a key that is not among the columns has no property, and is not left out either.
  private(set) var hasUnlistedUnknown = false
  /// The column that the next member of a record probably has.
  private var expected = 0

  init(
    _ targets: [ImportTarget], _ property: @escaping @Sendable (String) -> String?,
    _ dates: MagicImportDates
  ) {
    (self.targets, self.property, self.dates) = (targets, property, dates)
  }

  /// The properties for which there is no column.
  var missing: [String] {
    let known = Set(columns.compactMap(\.slot))
    return targets.indices.filter { !known.contains($0) }.map { targets[$0].property }
  }

  // MARK: Columns

  /// Adds the columns of CSV.
  ///
  /// - Throws: `Fault` if two columns have one name, or one property.
  mutating func add(header names: [String]) throws {
    for name in names {
      guard places[Array(name.utf8)] == nil else {
        throw Fault(column: name, reason: "two columns have this name")
      }
      _ = add(name)
    }
    var slots: Set<Int> = []
    for column in columns {
      guard let slot = column.slot, let property = column.property else { continue }
      guard slots.insert(slot).inserted else {
        throw Fault(column: column.name, reason: "two columns have one property")
      }
      guard property.form != nil else {
        throw Fault(
          column: column.name,
          reason: "fields of CSV cannot contain the values of \(property.property)")
      }
    }
  }

  /// Checks that each column of CSV has a property or is left out, before the first record is read.
  ///
  /// - Throws: `Fault`.
  func checkAll() throws {
    for column in columns where column.slot == nil { try checkUnknown(column, isPlan: false) }
  }

  private mutating func add(_ name: String) -> Int { add(column(name)) }

  private mutating func add(_ column: Column) -> Int {
    columns.append(column)
    places[column.key] = columns.count - 1
    nameSize += column.key.count
    return columns.count - 1
  }

  private func column(_ name: String) -> Column {
    let target = property(name)
    let slot = target.flatMap { target in
      targets.firstIndex { $0.key == target } ?? targets.firstIndex { $0.property == target }
    }
    return Column(
      name: name, key: Array(name.utf8), slot: slot, property: slot.map { targets[$0] },
      isLeftOut: target == nil)
  }

  /// The largest number of keys of JSON that become columns, and the largest number of bytes of their names.
  /// Keys can be values in files of other programs, so that there are as many as records.
  static let (largestCount, largestNameSize) = (1_000, 1 << 20)

  // MARK: Records

  /// Returns the object of JSON for a record.
  ///
  /// - Parameter isPlan: whether a column without a property is permitted.
  mutating func object(_ record: ImportedRecord, isPlan: Bool) throws -> [UInt8] {
    switch record {
    case .fields(let fields): try object(fields, isPlan: isPlan)
    case .json(let json): try object(json, isPlan: isPlan)
    }
  }

  private mutating func object(_ record: CSVRecord, isPlan: Bool) throws -> [UInt8] {
    guard record.count == columns.count else {
      throw Fault(
        reason: "the record has \(record.count) fields, and there are \(columns.count) columns")
    }
    for index in columns.indices where !record[index].isEmpty { columns[index].values += 1 }
    var json = [UInt8(ascii: "{")]
    for index in columns.indices {
      let column = columns[index]
      guard let property = column.property, let form = property.form else {
        try checkUnknown(column, isPlan: isPlan)
        continue
      }
      do {
        let value = try form.json(
          record[index], isQuoted: record.isQuoted(index), isOptional: property.isOptional, dates)
        if let value { Self.append(property, value, to: &json) }
      } catch let fault as ConversionFault {
        throw Fault(column: column.name, reason: fault.reason)
      }
    }
    json.append(UInt8(ascii: "}"))
    return json
  }

  private mutating func object(_ record: [UInt8], isPlan: Bool) throws -> [UInt8] {
    var json = [UInt8(ascii: "{")]
    let isComplete = try record.withUnsafeBytes { bytes in
      try JSONScanner.forEachMember(of: bytes) { key, value in
        // The keys of references and labels are those of documents.
        if JSONText.begins(key, with: "$") {
          if json.count > 1 { json.append(UInt8(ascii: ",")) }
          json.append(UInt8(ascii: "\""))
          json += key
          json += "\":".utf8
          json += value
        } else if let member = try member(key, value, isPlan: isPlan) {
          Self.append(targets[member.property], member.converted ?? Array(value), to: &json)
        }
      }
    }
    guard isComplete else { throw Fault(reason: "it is not one object of JSON") }
    json.append(UInt8(ascii: "}"))
    return json
  }

  /// Returns the property of a member of a record of JSON, and its value if that has another form in documents;
  /// nil for a member that is left out.
  mutating func member(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, isPlan: Bool
  ) throws -> DocumentReader.MappedMember? {
    let isNull = value.elementsEqual("null".utf8)
    guard let index = try index(key) else {
      let column = column(try Self.name(key))
      hasUnlisted = true
      guard let slot = column.slot else {
        if !isNull { unlistedValues += 1 }
        if !column.isLeftOut { hasUnlistedUnknown = true }
        return try leaveOut(value, column, isPlan: isPlan)
      }
      // The first column of a property is always listed.
      if !columns.contains(where: { $0.slot == slot }) {
        let index = add(column)
        if !isNull { columns[index].values += 1 }
      }
      return try mapped(value, slot, column.name)
    }
    expected = index + 1
    if !isNull { columns[index].values += 1 }
    guard let slot = columns[index].slot else {
      return try leaveOut(value, columns[index], isPlan: isPlan)
    }
    return try mapped(value, slot, columns[index].name)
  }

  private func mapped(
    _ value: UnsafeRawBufferPointer, _ slot: Int, _ column: @autoclosure () -> String
  ) throws -> DocumentReader.MappedMember {
    guard case .date? = targets[slot].form else { return (slot, nil) }
    return (slot, try date(Array(value), column()))
  }

  /// Checks a value of a column without a property.
  private func leaveOut(
    _ value: UnsafeRawBufferPointer, _ column: Column, isPlan: Bool
  ) throws -> DocumentReader.MappedMember? {
    try checkUnknown(column, isPlan: isPlan)
    guard JSONText.isValue(value) else {
      throw Fault(column: column.name, reason: "the value is not JSON")
    }
    return nil
  }

  /// Returns the index of the column of a key, which is added if it is new; nil if there are too many.
  private mutating func index(_ key: UnsafeRawBufferPointer) throws -> Int? {
    // A key with escape sequences is not the name that has the same bytes.
    if expected < columns.count, columns[expected].key.elementsEqual(key), !key.hasEscapes {
      return expected
    }
    let name = try Self.name(key)
    if let place = places[Array(name.utf8)] { return place }
    guard columns.count < Self.largestCount,
      nameSize + name.utf8.count <= Self.largestNameSize
    else { return nil }
    return add(name)
  }

  private static func name(_ key: UnsafeRawBufferPointer) throws -> String {
    guard let name = key.hasEscapes ? JSONText.decoded(key) : Array(key),
      name.withUnsafeBytes({ UTF8Validation.isValid($0) })
    else { throw Fault(reason: "a key is not valid") }
    return String(decoding: name, as: UTF8.self)
  }

  private func date(_ json: [UInt8], _ column: String) throws -> [UInt8] {
    do {
      return try dates.json(json)
    } catch let fault as ConversionFault {
      throw Fault(column: column, reason: fault.reason)
    }
  }

  private func checkUnknown(_ column: Column, isPlan: Bool) throws {
    guard isPlan || column.isLeftOut else {
      let hint = NearestName.hint(for: column.name, in: missing)
      throw Fault(
        column: column.name,
        reason: "the type has no such property\(hint); give the column one, or leave it out")
    }
  }

  private static func append(
    _ property: ImportTarget, _ value: [UInt8], to json: inout [UInt8]
  ) {
    if json.count > 1 { json.append(UInt8(ascii: ",")) }
    json += property.json
    json += value
  }
}
