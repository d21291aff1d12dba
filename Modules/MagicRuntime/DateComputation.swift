/// Computes with dates in the proleptic Gregorian calendar. Dates are seconds since 2001-01-01
/// 00:00:00 UTC.
///
/// A date that is more than about three million years before or after 2001 results in nil.
package struct DateComputation {
  private let zone: ZoneOffsets

  package init(_ zone: ZoneOffsets) { self.zone = zone }

  private static let limit = 1e14
  private static let secondsOfDay: Int64 = 86_400
  /// 2001-01-01 in days since 1970-01-01.
  private static let reference: Int64 = 11_323

  /// Returns a component of the date in the time zone.
  package func component(_ unit: DateUnit, of date: Double) -> Int64? {
    guard abs(date) < Self.limit else { return nil }
    let time = Int64(date.rounded(.down))
    let local = time + zone.offset(at: time)
    let (day, second) = Self.divide(local, Self.secondsOfDay)
    switch unit {
    case .year: return Self.civil(day).year
    case .month: return Self.civil(day).month
    case .day: return Self.civil(day).day
    case .hour: return second / 3600
    case .minute: return second / 60 % 60
    case .second: return second % 60
    // 2001-01-01 was a Monday.
    case .weekday: return Self.divide(day + 1, 7).rest + 1
    case .week: return nil
    }
  }

  /// Returns the beginning of the year, month, week, day, hour, minute or second that contains the
  /// date. A week begins on Monday.
  package func start(of unit: DateUnit, _ date: Double) -> Double? {
    guard abs(date) < Self.limit else { return nil }
    let time = Int64(date.rounded(.down))
    let local = time + zone.offset(at: time)
    if let seconds = unit.seconds { return Double(time - Self.divide(local, seconds).rest) }
    let day = Self.divide(local, Self.secondsOfDay).quotient
    let start: Int64
    switch unit {
    case .year: start = Self.days(Self.civil(day).year, 1, 1)
    case .month:
      let civil = Self.civil(day)
      start = Self.days(civil.year, civil.month, 1)
    case .week: start = day - Self.divide(day, 7).rest
    default: start = day
    }
    return Double(zone.time(ofLocal: start * Self.secondsOfDay))
  }

  /// Returns the date after a number of units. The time of day stays the same for days and longer
  /// units. The day is the last of the month if the month is too short.
  package func adding(_ count: Int64, _ unit: DateUnit, to date: Double) -> Double? {
    guard abs(date) < Self.limit, count.magnitude < UInt64(Self.limit) else { return nil }
    if let seconds = unit.seconds { return date + Double(count) * Double(seconds) }
    let time = Int64(date.rounded(.down))
    let fraction = date - Double(time)
    let offset = zone.offset(at: time)
    let (day, second) = Self.divide(time + offset, Self.secondsOfDay)
    let moved: Int64
    switch unit {
    case .year: moved = Self.adding(months: count * 12, to: day)
    case .month: moved = Self.adding(months: count, to: day)
    case .week: moved = day + count * 7
    default: moved = day + count
    }
    guard Double(moved.magnitude) * Double(Self.secondsOfDay) < Self.limit else { return nil }
    let local = moved * Self.secondsOfDay + second
    return Double(zone.time(ofLocal: local, preferring: offset)) + fraction
  }

  private static func adding(months: Int64, to day: Int64) -> Int64 {
    let civil = civil(day)
    let (year, month) = divide(civil.year * 12 + civil.month - 1 + months, 12)
    let first = days(year, month + 1, 1)
    let next = month == 11 ? days(year + 1, 1, 1) : days(year, month + 2, 1)
    return first + min(civil.day, next - first) - 1
  }

  // MARK: The calendar

  /// Divides rounding down.
  private static func divide(
    _ dividend: Int64, _ divisor: Int64
  ) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  /// Returns the days from 2001-01-01 to a day. Years begin in March here, so that a leap day is
  /// the last day of its year.
  ///
  /// See https://howardhinnant.github.io/date_algorithms.html
  package static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let (era, yearOfEra) = divide(month <= 2 ? year - 1 : year, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468 - reference
  }

  /// The inverse of ``days(_:_:_:)``.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = divide(days + reference + 719_468, 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }
}
