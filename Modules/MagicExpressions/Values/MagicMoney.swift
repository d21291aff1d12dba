public import Foundation
public import Magical

/// An exact amount with a fixed number of fraction digits, which queries compare, sort and add up.
///
/// ```swift
/// struct Invoice: MagicObject {
///   @MagicValue(.indexed) var total: MagicMoney<MagicCents>
///
///   init() {}
/// }
/// ```
///
/// It is stored as an integer of the smallest unit, so the database needs no conversion, and other
/// programs can add up the column too. A `Decimal` is stored as text instead, which has no order in
/// the database. As with integers, a result out of the range of `Int64` ends the process, and a sum
/// in a query that is out of range throws `.cannotEncode`.
///
/// The average of amounts, and the product of two of them in a query, are computed from the units.
public struct MagicMoney<Scale: MagicScale>: Hashable, Sendable {
  /// The amount in the smallest unit: cents for ``MagicCents``.
  public var units: Int64

  /// Creates an amount from a count of the smallest unit.
  public init(units: Int64) { self.units = units }

  /// Creates an amount from a decimal number; nil if the number has more fraction digits than the
  /// scale, or is out of range.
  public init?(exactly decimal: Decimal) {
    self.init(rounding: decimal)
    guard self.decimal == decimal else { return nil }
  }

  /// Creates the nearest amount to a decimal number; nil if the number is out of range.
  ///
  /// - Parameter mode: how a number between two amounts is rounded. Default: to the nearest one, and
  ///   away from zero at the half.
  public init?(rounding decimal: Decimal, _ mode: NSDecimalNumber.RoundingMode = .plain) {
    guard !decimal.isNaN else { return nil }
    var (source, scaled, rounded) = (decimal, Decimal(), Decimal())
    let power = Int16(Scale.digits)
    guard NSDecimalMultiplyByPowerOf10(&scaled, &source, power, mode) == .noError else {
      return nil
    }
    NSDecimalRound(&rounded, &scaled, 0, mode)
    let text = NSDecimalNumber(decimal: rounded).description(withLocale: nil)
    guard let units = Int64(text) else { return nil }
    self.init(units: units)
  }

  /// The amount as a decimal number.
  public var decimal: Decimal {
    Decimal(
      sign: units < 0 ? .minus : .plus, exponent: -Scale.digits,
      significand: Decimal(units.magnitude))
  }
}

/// Stored as an integer of the smallest unit.
extension MagicMoney: Magical {
  /// The amount in the smallest unit.
  public var storedValue: Int64 { units }

  /// Creates an amount from a count of the smallest unit.
  public init(storedValue: Int64) { self.init(units: storedValue) }
}

/// Queries compare, sort and add up amounts.
extension MagicMoney: MagicalNumeric {
  /// The type of a sum of amounts.
  public typealias Sum = MagicMoney<Scale>
}

/// Amounts of one scale are added exactly.
extension MagicMoney: AdditiveArithmetic, Comparable {
  /// No units.
  public static var zero: Self { Self(units: 0) }

  /// Returns the sum of two amounts.
  public static func + (left: Self, right: Self) -> Self { Self(units: left.units + right.units) }

  /// Returns the difference of two amounts.
  public static func - (left: Self, right: Self) -> Self { Self(units: left.units - right.units) }

  /// Returns whether the first amount is smaller.
  public static func < (left: Self, right: Self) -> Bool { left.units < right.units }
}

/// An amount as text has all fraction digits of its scale, for example `19.90`.
extension MagicMoney: LosslessStringConvertible {
  /// Creates an amount from the text of a decimal number; nil if the text contains anything else, the
  /// number has more fraction digits than the scale, or is out of range.
  public init?(_ text: String) {
    guard let decimal = try? Decimal(storedValue: text) else { return nil }
    self.init(exactly: decimal)
  }

  /// The amount with a point before the fraction.
  public var description: String {
    let digits = String(units.magnitude)
    let padding = String(repeating: "0", count: max(0, Scale.digits + 1 - digits.count))
    let all = (units < 0 ? "-" : "") + padding + digits
    return Scale.digits == 0 ? all : "\(all.dropLast(Scale.digits)).\(all.suffix(Scale.digits))"
  }
}

/// Encoded as a decimal number.
extension MagicMoney: Codable {
  /// Encodes the decimal number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(decimal)
  }

  /// Decodes a decimal number.
  ///
  /// - Throws: `DecodingError` if the number has more fraction digits than the scale, or is out of
  ///   range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let amount = Self(exactly: try container.decode(Decimal.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "The number has more fraction digits than the amount, or is out of range."
      )
    }
    self = amount
  }
}
