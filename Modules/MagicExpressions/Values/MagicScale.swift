/// The number of fraction digits of a ``MagicMoney``.
///
/// ```swift
/// enum Mills: MagicScale {
///   static var fractionDigits: Int { 3 }
/// }
/// ```
public protocol MagicScale: SendableMetatype {
  /// The number of digits after the point: 0 to 18. A number outside this range counts as the nearest
  /// bound. Do not change it for stored amounts, because a database stores units.
  static var fractionDigits: Int { get }
}

/// Two fraction digits: the unit is a hundredth.
public enum MagicCents: MagicScale {
  /// Two.
  public static var fractionDigits: Int { 2 }
}

extension MagicScale {
  static var digits: Int { min(max(fractionDigits, 0), 18) }
}
