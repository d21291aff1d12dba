/// A unit of dates, with which queries compute.
///
/// A week begins on Monday.
public enum MagicDateUnit: Sendable {
  /// A calendar year.
  case year
  /// A calendar month.
  case month
  /// Seven days.
  case week
  /// A calendar day.
  case day
  /// 60 minutes.
  case hour
  /// 60 seconds.
  case minute
  /// A second.
  case second
}
