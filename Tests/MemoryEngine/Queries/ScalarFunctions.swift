import Foundation
import MagicEngine
import MagicRuntime
import MagicSchema

extension ScalarFunction {
  /// The result of the function.
  ///
  /// - Throws: `MagicError` with `.cannotEncode` if a number is out of range.
  func result(_ values: [StoredValue]) throws -> StoredValue {
    switch self {
    case .coalesced: return values[0].isNull ? values[1] : values[0]
    case .conditional: return values[0].isTrue ? values[1] : values[2]
    case .absolute, .rounded, .real, .integer: return try number(values[0])
    case .concatenated, .characterCount, .trimmed, .replaced, .prefix: return text(values)
    case .dateComponent, .dateStart, .dateAdding, .dateDifference: return try date(values)
    case .jsonCount, .jsonContains, .jsonMember: return json(values)
    case .distance(let metric):
      guard let vector = values[0].stored?.bytes, let other = values[1].stored?.bytes else {
        return .real(.infinity)
      }
      return .real(VectorComputation.distance(vector, other, metric))
    case .matches: return .null
    case .collated: throw MagicError.noCollations()
    }
  }

  private func json(_ values: [StoredValue]) -> StoredValue {
    guard let json = values[0].stored?.bytes else { return .null }
    if self == .jsonCount { return JSONScanner.count(json).map { .integer(Int64($0)) } ?? .null }
    guard let other = values[1].stored?.bytes else { return .null }
    guard case .jsonMember(let kind) = self else {
      return StoredValue(JSONScanner.contains(json, other))
    }
    return StoredValue(JSONScanner.member(json, other).flatMap { JSONValue($0).value(of: kind) })
  }

  private func number(_ value: StoredValue) throws -> StoredValue {
    switch (self, value) {
    case (_, .null): return .null
    case (.absolute, .integer(let integer)):
      guard integer != .min else { throw MagicError.outOfRange }
      return .integer(abs(integer))
    case (.absolute, _): return .real(abs(value.real))
    case (.rounded, .integer), (.integer, .integer): return value
    case (.rounded, _): return .real(value.real.rounded())
    case (.integer, _):
      guard let integer = NumberComputation.integer(value.real) else {
        throw MagicError.outOfRange
      }
      return .integer(integer)
    default: return .real(value.real)
    }
  }

  private func text(_ values: [StoredValue]) -> StoredValue {
    guard values.allSatisfy({ !$0.isNull }), let bytes = values[0].stored?.bytes else {
      return .null
    }
    func part(_ range: Range<Int>) -> StoredValue {
      .text(StoredBytes(UnsafeRawBufferPointer(rebasing: bytes[range])))
    }
    switch self {
    case .characterCount: return .integer(Int64(TextComputation.count(bytes)))
    case .trimmed: return part(TextComputation.trimmed(bytes))
    case .prefix:
      guard case .integer(let count) = values[1] else { return .null }
      return part(0..<TextComputation.prefix(bytes, Int(count)))
    case .replaced:
      guard let old = values[1].stored?.bytes, let new = values[2].stored?.bytes else {
        return .null
      }
      return Data(bytes).replacing(Data(old), with: Data(new))
    default:
      return (Data(bytes) + (values[1].stored.map { Data($0.bytes) } ?? Data()))
        .withUnsafeBytes { .text(StoredBytes($0)) }
    }
  }

  private func date(_ values: [StoredValue]) throws -> StoredValue {
    guard values.allSatisfy({ !$0.isNull }) else { return .null }
    let seconds = values[0].real
    switch self {
    case .dateComponent(let unit):
      return DateComputation(values.zone(1)).component(unit, of: seconds)
        .map { .integer($0) } ?? .null
    case .dateStart(let unit):
      return DateComputation(values.zone(1)).start(of: unit, seconds).map { .real($0) } ?? .null
    case .dateAdding(let unit):
      guard case .integer(let count) = values[1] else { return .null }
      return DateComputation(values.zone(2)).adding(count, unit, to: seconds)
        .map { .real($0) } ?? .null
    default: return try ArithmeticOperator.subtract.result(values[0], values[1])
    }
  }
}

extension [StoredValue] {
  /// The time zone in an optional operand.
  fileprivate func zone(_ index: Int) -> ZoneOffsets {
    let bytes = indices.contains(index) ? self[index].stored?.bytes : nil
    return ZoneOffsets(bytes ?? UnsafeRawBufferPointer(start: nil, count: 0))
  }
}

extension Data {
  /// The text in which one part replaces another. An empty part is not replaced, nor is a part that
  /// begins with a NUL character.
  fileprivate func replacing(_ old: Data, with new: Data) -> StoredValue {
    var result = Data()
    var rest = self[...]
    while old.first ?? 0 != 0, let found = rest.range(of: old) {
      result += rest[..<found.lowerBound] + new
      rest = rest[found.upperBound...]
    }
    return (result + rest).withUnsafeBytes { .text(StoredBytes($0)) }
  }
}

extension StoredValue {
  /// Creates the value of JSON.
  init(_ json: JSONValue?) {
    switch json {
    case nil, .null: self = .null
    case .bool(let bool): self = StoredValue(bool)
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text):
      self = JSONValue.unescaped(text).withUnsafeBytes { .text(StoredBytes($0)) }
    case .container(let json): self = .blob(StoredBytes(json))
    }
  }

  /// The texts of values that are not NULL, with a separator; NULL if there are none.
  static func joined(_ values: [StoredValue], separator: StoredValue) -> StoredValue {
    let parts = values.compactMap { $0.stored.map { Data($0.bytes) } }
    guard let first = parts.first else { return .null }
    let between = separator.stored.map { Data($0.bytes) } ?? Data()
    return parts.dropFirst().reduce(first) { $0 + between + $1 }
      .withUnsafeBytes { .text(StoredBytes($0)) }
  }
}
