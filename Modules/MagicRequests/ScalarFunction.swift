package import MagicRuntime
package import MagicSchema

/// A function of values. The result is nil if the first operand is nil, except for ``coalesced``,
/// ``conditional`` and ``distance(_:)``.
package enum ScalarFunction: Sendable, Equatable {
  /// The first operand; the second if the first is nil.
  case coalesced
  /// The second operand if the first, a condition, is true; otherwise the third.
  case conditional
  /// The absolute value.
  case absolute
  /// The nearest whole number; of two, the one farther from zero.
  case rounded
  /// The number as a floating-point number.
  case real
  /// The number without its fraction. A number that is out of range is an error.
  case integer
  /// Both texts, one after the other.
  case concatenated
  /// The number of characters of a text.
  case characterCount
  /// The text without white space at both ends.
  case trimmed
  /// The text in which the third operand replaces the second.
  case replaced
  /// The first characters of a text.
  case prefix
  /// The text, which is compared by a collation.
  case collated(MagicCollation)
  /// A component of a date. The second operand is the time zone, a list of `ZoneOffsets`; without
  /// it, the time zone is UTC.
  case dateComponent(DateUnit)
  /// The beginning of the unit that contains a date. The second operand is the time zone.
  case dateStart(DateUnit)
  /// A date after a number of units, which is the second operand. The third is the time zone.
  case dateAdding(DateUnit)
  /// The seconds from the second date to the first.
  case dateDifference
  /// The number of elements of a JSON array, or of members of a JSON object; NULL for other text.
  case jsonCount
  /// Whether a JSON array contains the second operand, which is JSON.
  case jsonContains
  /// The value of the member of a JSON object whose key is the second operand; NULL if there is
  /// none, or a value of another kind.
  case jsonMember(JSONKind)
  /// The distance of two vectors; infinite if the first operand is nil.
  case distance(VectorMetric)
  /// Whether the search index of a type, given by its ordinal, finds a row by a text in the syntax of
  /// searches. The operands are the row ID of the row, and the text.
  case matches(type: Int)

  /// A number that identifies the function in hashes.
  var number: Int {
    switch self {
    case .coalesced: 0
    case .conditional: 1
    case .absolute: 2
    case .rounded: 3
    case .real: 4
    case .integer: 5
    case .concatenated: 6
    case .characterCount: 7
    case .trimmed: 8
    case .replaced: 9
    case .prefix: 10
    case .dateDifference: 11
    case .jsonCount: 12
    case .jsonContains: 13
    case .dateComponent(let unit): 16 + unit.rawValue
    case .dateStart(let unit): 32 + unit.rawValue
    case .dateAdding(let unit): 48 + unit.rawValue
    case .jsonMember(let kind): 64 + kind.rawValue
    case .distance(let metric): 80 + metric.rawValue
    case .matches: 100
    case .collated: 101
    }
  }
}
