/// The units of dates with which queries compute. An engine may use the raw values in its statements.
package enum DateUnit: Int, Sendable {
  case year, month, week, day, hour, minute, second
  /// The day of the week, from 1 for Sunday to 7 for Saturday.
  case weekday

  /// The length of a unit of constant length in seconds; nil for the others, and for units whose
  /// length depends on the time zone.
  var seconds: Int64? {
    switch self {
    case .hour: 3600
    case .minute: 60
    case .second: 1
    case .year, .month, .week, .day, .weekday: nil
    }
  }
}
