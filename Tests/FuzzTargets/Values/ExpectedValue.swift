import Foundation

/// The expected value of a property for a stored value, from an independent implementation of the
/// rules for stored values.
enum ExpectedValue: Equatable {
  /// This text in ``Scalar/texts``.
  case value(String)
  case error
  /// A value or an error.
  case any

  typealias Rule = @Sendable (RawValue) -> ExpectedValue

  static func optional(_ rule: @escaping Rule) -> Rule {
    { $0 == .null ? .value("nil") : rule($0) }
  }

  @Sendable static func text(_ raw: RawValue) -> ExpectedValue {
    guard case .text(let bytes) = raw else { return .error }
    // Decoding replaces invalid UTF-8, so the result differs from the bytes.
    guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) else { return .error }
    return .value("\(bytes)")
  }

  static func integer<Value: FixedWidthInteger & SendableMetatype>(_ type: Value.Type) -> Rule {
    { raw in
      guard case .integer(let integer) = raw, let value = Value(exactly: integer) else {
        return .error
      }
      return .value("\(value)")
    }
  }

  @Sendable static func truth(_ raw: RawValue) -> ExpectedValue {
    switch raw {
    case .integer(0): .value("false")
    case .integer(1): .value("true")
    default: .error
    }
  }

  @Sendable static func real(_ raw: RawValue) -> ExpectedValue {
    switch raw {
    case .real(let bits): .value("\(bits)")
    case .integer(let integer):
      Double(exactly: integer).map { .value("\($0.bitPattern)") } ?? .error
    default: .error
    }
  }

  @Sendable static func float(_ raw: RawValue) -> ExpectedValue {
    guard case .value(let text) = real(raw), let bits = UInt64(text) else { return .error }
    let double = Double(bitPattern: bits)
    let float = Float(double)
    guard float.isFinite || !double.isFinite else { return .error }
    return .value("\(float.bitPattern)")
  }

  @Sendable static func uuid(_ raw: RawValue) -> ExpectedValue {
    guard case .text(let bytes) = raw,
      let uuid = UUID(uuidString: String(decoding: bytes, as: UTF8.self)), bytes.count == 36
    else { return .error }
    return .value(uuid.uuidString)
  }

  @Sendable static func link(_ raw: RawValue) -> ExpectedValue {
    guard case .value = text(raw), case .text(let bytes) = raw,
      let url = URL(string: String(decoding: bytes, as: UTF8.self))
    else { return .error }
    return .value(url.absoluteString)
  }

  /// Only plain numbers have an expected value, because an exponent can be out of range.
  @Sendable static func decimal(_ raw: RawValue) -> ExpectedValue {
    guard case .text(let bytes) = raw else { return .error }
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.isEmpty, text.count < 30, bytes.allSatisfy({ $0 >= 48 && $0 <= 57 }),
      let value = Decimal(string: text)
    else { return .any }
    return .value("\(value)")
  }

  @Sendable static func bytes(_ raw: RawValue) -> ExpectedValue {
    guard case .blob(let bytes) = raw else { return .error }
    return .value("\(bytes)")
  }

  static func rawValue<Value: RawRepresentable & SendableMetatype>(_ type: Value.Type) -> Rule
  where Value.RawValue == String {
    { raw in
      guard case .value = text(raw), case .text(let bytes) = raw,
        Value(rawValue: String(decoding: bytes, as: UTF8.self)) != nil
      else { return .error }
      return .value("\(bytes)")
    }
  }

  static func rawValue<Value: RawRepresentable & SendableMetatype>(_ type: Value.Type) -> Rule
  where Value.RawValue == Int {
    { raw in
      guard case .integer(let integer) = raw, Value(rawValue: Int(integer)) != nil else {
        return .error
      }
      return .value("\(integer)")
    }
  }

  static func json<Value: Decodable & SendableMetatype>(
    _ type: Value.Type, _ text: @escaping @Sendable (Value) -> String
  ) -> Rule {
    { raw in
      guard case .blob(let bytes) = raw,
        let value = try? JSONDecoder().decode(type, from: Data(bytes))
      else { return .error }
      return .value(text(value))
    }
  }
}
