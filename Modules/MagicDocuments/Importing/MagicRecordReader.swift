import DatabaseTransfer
import Foundation
import MagicExchange
import MagicRuntime
public import MagicSchema
import Magical

/// Reads the records of a file as values of properties of which only a description is known: the types
/// of a database file without their Swift types. Used by one call at a time.
@_spi(Tools)
public final class MagicRecordReader: @unchecked Sendable {
  /// What the values of a property are.
  public indirect enum Kind: Hashable, Sendable {
    case text, integer, real, boolean, date, bytes, uuid, json
    /// A text with a decimal number, or a number.
    case decimal
    /// The value that identifies another object.
    case reference(Kind)
    /// Values that no file contains.
    case unsupported
  }

  /// A property of the type.
  public struct Property: Sendable {
    fileprivate let target: ImportTarget
    fileprivate let kind: Kind

    /// - Parameters:
    ///   - typeName: the name of the type of the values, for the plan.
    ///   - referenceKey: the primary of the objects that the property refers to, for files that contain
    ///     these objects.
    public init(
      name: String, kind: Kind, isOptional: Bool, typeName: String, referenceKey: String? = nil
    ) {
      self.kind = kind
      target = ImportTarget(
        property: name, key: name, form: kind.form, isOptional: isOptional, typeName: typeName,
        flattedForm: referenceKey.map { .primary(key: $0) } ?? .value)
    }
  }

  /// A value of a record.
  public enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    /// A number, or the seconds since 2001 of a date.
    case real(Double)
    case boolean(Bool)
    case text(String)
    case bytes([UInt8])
    /// The sixteen bytes of a UUID.
    case uuid([UInt8])
    /// A document in UTF-8, as the file contains it.
    case json([UInt8])
  }

  /// The place of a record in the file, for errors that are found after later records.
  public struct Place: Hashable, Sendable {
    fileprivate let place: RecordPlace
  }

  /// A record with the values that it contains, by the indexes of their properties.
  public struct Record: Sendable {
    /// The values, in their order in the record.
    public fileprivate(set) var values: [(property: Int, value: Value)] = []
    /// Where the file contains the record.
    public let place: Place
  }

  /// Why a record cannot be saved.
  public struct Fault: Error {
    let code: MagicError.Code
    let property: Int?
    let reason: String
    let place: Place?

    /// - Parameters:
    ///   - code: the code of the error of the call.
    ///   - property: the index of the property; nil if the error concerns the whole record.
    ///   - reason: what is wrong.
    ///   - place: the place of the record; nil if it is the last one that was read.
    public init(
      _ code: MagicError.Code = .cannotDecode, property: Int? = nil, reason: String,
      place: Place? = nil
    ) {
      (self.code, self.property, self.reason, self.place) = (code, property, reason, place)
    }
  }

  private let properties: [Property]
  private let slots: [[UInt8]: Int]
  private let run: ImportRun

  /// Opens a file.
  ///
  /// - Parameter typeName: the name of the type, for errors.
  /// - Throws: `MagicError`: `.cannotOpen`, `.inputOutput`, `.invalidOption`.
  public init(_ file: MagicImportFile, typeName: String, properties: [Property]) throws {
    self.properties = properties
    slots = Dictionary(
      properties.enumerated().map { (Array($1.target.key.utf8), $0) },
      uniquingKeysWith: { first, _ in first })
    run = try ImportRun(file, typeName: typeName, targets: properties.map(\.target))
  }

  /// Closes the file.
  public func close() { run.close() }

  /// How much was read.
  public var progress: MagicImportProgress { run.progress }

  /// The names of the columns of CSV once a record was read, or the keys of the records of JSON that were read;
  /// nil if there are too many keys.
  public var columns: [String]? {
    run.columns.hasUnlisted ? nil : run.columns.columns.map(\.name)
  }

  /// What was saved.
  public var summary: MagicImportSummary { run.summary }

  /// Reads records, and calls a body that saves each of them.
  ///
  /// - Parameters:
  ///   - limit: the largest number of records.
  ///   - isCommitted: whether the caller commits these records before it reads the next ones.
  ///   - body: saves a record; throws ``Fault`` if the record cannot be saved.
  ///   - end: is called after these records; receives whether they are the last ones.
  /// - Returns: whether there may be more records.
  /// - Throws: `MagicError` with a ``MagicImportError`` as its cause; the errors of the body;
  ///   `CancellationError`.
  public func save(
    atMost limit: Int = .max, isCommitted: Bool = false, _ body: (Record) throws -> Void,
    end: (_ isLast: Bool) throws -> Void = { _ in }
  ) throws -> Bool {
    var (count, last): (Int, RecordPlace?) = (0, nil)
    while count < limit {
      guard let (place, content) = try run.readRecord(isPlan: false) else { break }
      let record = try located(place) {
        try converted(try run.columns.object(content, isPlan: false), place)
      }
      try located(place) { try body(record) }
      (count, last) = (count + 1, place)
      if count % ImportRun.batchSize == 0 { try Task.checkCancellation() }
    }
    try located(last ?? RecordPlace(record: 0, line: 1)) { try end(count < limit) }
    if let last { run.didSave(count, last: last, isCommitted: isCommitted) }
    return count == limit
  }

  /// Reads all records, and calls a body that checks each of them.
  ///
  /// - Parameters:
  ///   - body: throws ``Fault`` if the record cannot be saved.
  ///   - end: is called after the records, and reports those that cannot be saved because of others.
  /// - Throws: `MagicError` if the file cannot be read; the errors of the body except ``Fault``;
  ///   `CancellationError`.
  public func plan(
    _ body: (Record) throws -> Void,
    end: (_ report: (Fault) -> Void) throws -> Void = { _ in }
  ) throws -> MagicImportPlan {
    var plan = MagicImportPlan()
    var count = 0
    while true {
      do {
        guard let (place, content) = try run.readRecord(isPlan: true) else { break }
        count += 1
        if count % ImportRun.batchSize == 0 { try Task.checkCancellation() }
        try located(place) {
          try body(try converted(try run.columns.object(content, isPlan: true), place))
        }
        plan.records += 1
      } catch let error as MagicError {
        guard let fault = error.cause as? MagicImportError else { throw error }
        plan.add([fault])
        if run.isBroken { break }
      }
    }
    var failed: Set<Place> = []
    try end { fault in
      guard let place = fault.place, failed.insert(place).inserted else { return }
      plan.records -= 1
      plan.add([
        MagicImportError(at: place.place, column: column(of: fault), reason: fault.reason)
      ])
    }
    plan.errors.sort { $0.record < $1.record }
    plan.add(run.columns)
    return plan
  }

  private func column(of fault: Fault) -> String? {
    fault.property.map { property in
      run.columns.columns.first { $0.slot == property }?.name
        ?? properties[property].target.property
    }
  }

  private func located<Result>(
    _ place: RecordPlace, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try run.converting(place) { try body() }
    } catch let fault as Fault {
      return try run.converting(fault.place?.place ?? place) {
        throw ImportColumns.Fault(code: fault.code, column: column(of: fault), reason: fault.reason)
      }
    }
  }

  // MARK: Values

  private func converted(_ json: [UInt8], _ place: RecordPlace) throws -> Record {
    var record = Record(place: Place(place: place))
    var found: Set<Int> = []
    _ = try json.withUnsafeBytes { bytes in
      try JSONScanner.forEachMember(of: bytes) { key, value in
        let name = key.hasEscapes ? JSONText.decoded(key) ?? [] : Array(key)
        guard let slot = slots[name] else { return try checkMark(name) }
        guard found.insert(slot).inserted else {
          throw Fault(property: slot, reason: "the record has the value twice")
        }
        let property = properties[slot]
        guard let value = property.kind.value(value) else {
          throw Fault(property: slot, reason: "the value is not \(property.kind.noun)")
        }
        record.values.append((slot, value))
      }
    }
    return record
  }

  /// Refuses a member that is neither a property nor a label of a document in the form of flatted.
  private func checkMark(_ name: [UInt8]) throws {
    switch String(decoding: name, as: UTF8.self) {
    case "$id" where run.areRelated: break
    case "$ref": throw Fault(reason: "a record is a reference")
    case let name:
      throw Fault(reason: "the key \(String(name.prefix(64)).debugDescription) has no meaning here")
    }
  }
}

extension MagicRecordReader.Kind {
  fileprivate var form: ImportedForm? {
    switch self {
    case .date: .date
    case .json: .json
    case .decimal: .scalar(.text)
    case .reference(let kind): kind.form.map { .link($0) }
    case .unsupported: nil
    case .text, .integer, .real, .boolean, .bytes, .uuid: scalar.map { .scalar($0) }
    }
  }

  private var scalar: TransferredKind? {
    switch self {
    case .text: .text
    case .integer: .integer
    case .real, .date: .real
    case .boolean: .boolean
    case .bytes: .blob
    case .uuid: .uuid
    case .json, .decimal, .reference, .unsupported: nil
    }
  }

  fileprivate var noun: String {
    switch self {
    case .json: "JSON"
    case .unsupported: "one that a file can contain"
    case .reference(let kind):
      "{\"$ref\": …} with \(kind.noun) that identifies the object"
    case .date: "a date"
    case .decimal: "a decimal number"
    default: scalar.map(JSONScalar.noun) ?? "valid"
    }
  }

  /// Returns the value that JSON contains; nil if it is of another kind.
  fileprivate func value(_ json: UnsafeRawBufferPointer) -> MagicRecordReader.Value? {
    if json.elementsEqual("null".utf8) { return .null }
    switch self {
    case .json:
      return JSONText.isValue(json, depth: Self.documentDepth) ? .json(Array(json)) : nil
    case .decimal, .boolean:
      let other = ImportedScalar.value(json, of: self == .decimal ? .decimal : .bool)
      return (JSONScalar.value(json, self == .decimal ? .text : .boolean) ?? other)
        .flatMap(Self.value)
    case .unsupported: return nil
    case .reference(let kind):
      guard json.first == UInt8(ascii: "{") else { return kind.value(json) }
      var value: MagicRecordReader.Value?
      let isObject = JSONScanner.forEachMember(of: json) { key, content in
        if key.elementsEqual("$ref".utf8) { value = kind.value(content) }
      }
      return isObject && JSONScanner.count(json) == 1 ? value : nil
    default: return scalar.flatMap { JSONScalar.value(json, $0) }.flatMap(Self.value)
    }
  }

  /// The deepest nesting of a document that Foundation decodes.
  private static let documentDepth = 512

  private static func value(_ value: TransferredValue) -> MagicRecordReader.Value? {
    switch value {
    case .null: return .null
    case .integer(let integer): return .integer(integer)
    case .real(let real): return real.isNaN ? nil : .real(real)
    case .boolean(let boolean): return .boolean(boolean)
    case .text(let text):
      guard text.withUnsafeBytes({ UTF8Validation.isValid($0) }) else { return nil }
      return .text(String(decoding: text, as: UTF8.self))
    case .blob(let blob): return .bytes(blob)
    case .uuid(let uuid): return .uuid(uuid)
    }
  }
}
