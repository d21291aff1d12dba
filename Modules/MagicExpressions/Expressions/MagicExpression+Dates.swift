public import Foundation
import MagicEngine
import MagicRuntime
import MagicSchema

/// A date, or an optional date.
public protocol MagicDate: Sendable {
  /// `Int`, or `Int?` for an optional date.
  associatedtype Component: Sendable = Int
  /// `Double`, or `Double?` for an optional date.
  associatedtype Interval: Sendable = Double
}

extension Date: MagicDate {}

/// A function of nil results in nil.
extension Optional: MagicDate where Wrapped: MagicDate {
  /// An optional component.
  public typealias Component = Int?
  /// An optional number of seconds.
  public typealias Interval = Double?
}

/// Dates in the proleptic Gregorian calendar: the calendar of today is used for all times. The time
/// zone is UTC unless another one is given.
///
/// ```swift
/// let perMonth = try await magic.query(Sale.self)
///   .grouped { $0.$date.startOf(.month) }
///   .order(byKey: .ascending)
///   .count()
/// ```
///
/// Functions of dates that are millions of years away result in nil. The changes of a time zone from
/// 1900 to 2100 apply; the offset from UTC is constant before and after these years.
extension MagicExpression where Value: MagicDate {
  /// The year.
  public var year: MagicExpression<Model, Value.Component> { component(.year, nil) }

  /// The month, from 1 to 12.
  public var month: MagicExpression<Model, Value.Component> { component(.month, nil) }

  /// The day of the month, from 1 to 31.
  public var day: MagicExpression<Model, Value.Component> { component(.day, nil) }

  /// The hour, from 0 to 23.
  public var hour: MagicExpression<Model, Value.Component> { component(.hour, nil) }

  /// The minute, from 0 to 59.
  public var minute: MagicExpression<Model, Value.Component> { component(.minute, nil) }

  /// The second, from 0 to 59.
  public var second: MagicExpression<Model, Value.Component> { component(.second, nil) }

  /// The day of the week, from 1 for Sunday to 7 for Saturday.
  public var weekday: MagicExpression<Model, Value.Component> { component(.weekday, nil) }

  /// Returns the year, in a time zone.
  public func year(in timeZone: TimeZone) -> MagicExpression<Model, Value.Component> {
    component(.year, timeZone)
  }

  /// Returns the month, from 1 to 12, in a time zone.
  public func month(in timeZone: TimeZone) -> MagicExpression<Model, Value.Component> {
    component(.month, timeZone)
  }

  /// Returns the day of the month, from 1 to 31, in a time zone.
  public func day(in timeZone: TimeZone) -> MagicExpression<Model, Value.Component> {
    component(.day, timeZone)
  }

  /// Returns the hour, from 0 to 23, in a time zone.
  public func hour(in timeZone: TimeZone) -> MagicExpression<Model, Value.Component> {
    component(.hour, timeZone)
  }

  /// Returns the minute, from 0 to 59, in a time zone.
  public func minute(in timeZone: TimeZone) -> MagicExpression<Model, Value.Component> {
    component(.minute, timeZone)
  }

  /// Returns the day of the week, from 1 for Sunday to 7 for Saturday, in a time zone.
  public func weekday(in timeZone: TimeZone) -> MagicExpression<Model, Value.Component> {
    component(.weekday, timeZone)
  }

  /// Returns the beginning of the year, month or other unit that contains the date.
  public func startOf(
    _ unit: MagicDateUnit, in timeZone: TimeZone? = nil
  ) -> MagicExpression {
    MagicExpression(function(.dateStart(unit.stored), [], timeZone))
  }

  /// Returns the date after a number of units, or before it if the number is negative. The time of
  /// day stays the same for days and longer units; one that daylight saving time skips becomes the
  /// time after the change. If the month is too short, the result is its last day.
  public func adding(
    _ unit: MagicDateUnit, _ count: Int, in timeZone: TimeZone? = nil
  ) -> MagicExpression {
    MagicExpression(
      function(.dateAdding(unit.stored), [QueryExpression(value: count)], timeZone))
  }

  /// Returns the date after a number of units, which is an expression.
  public func adding(
    _ unit: MagicDateUnit, _ count: MagicExpression<Model, Int>, in timeZone: TimeZone? = nil
  ) -> MagicExpression {
    MagicExpression(function(.dateAdding(unit.stored), [count.untyped], timeZone))
  }

  /// Returns the seconds from another date to this one.
  public func timeIntervalSince(
    _ other: MagicExpression
  ) -> MagicExpression<Model, Value.Interval> {
    MagicExpression<Model, Value.Interval>(.function(.dateDifference, untyped, other.untyped))
  }

  /// Returns the seconds from another date to this one; nil if this one is nil.
  public func timeIntervalSince(
    _ other: MagicExpression<Model, Date>
  ) -> MagicExpression<Model, Double?> where Value == Date? {
    MagicExpression<Model, Double?>(.function(.dateDifference, untyped, other.untyped))
  }

  /// Returns the seconds from another date to this one; nil if the other one is nil.
  public func timeIntervalSince(
    _ other: MagicExpression<Model, Date?>
  ) -> MagicExpression<Model, Double?> where Value == Date {
    MagicExpression<Model, Double?>(.function(.dateDifference, untyped, other.untyped))
  }

  /// Returns the seconds from a date to this one.
  public func timeIntervalSince(_ date: Date) -> MagicExpression<Model, Value.Interval> {
    MagicExpression<Model, Value.Interval>(
      .function(.dateDifference, untyped, QueryExpression(value: date)))
  }

  private func component(
    _ unit: DateUnit, _ timeZone: TimeZone?
  ) -> MagicExpression<Model, Value.Component> {
    MagicExpression<Model, Value.Component>(function(.dateComponent(unit), [], timeZone))
  }

  private func function(
    _ function: ScalarFunction, _ operands: [QueryExpression], _ timeZone: TimeZone?
  ) -> QueryExpression {
    let zone = timeZone.map { [QueryExpression(QueryValue.blob(TimeZoneOffsets.of($0)))] } ?? []
    return .function(function, [untyped] + operands + zone)
  }
}

extension MagicDateUnit {
  fileprivate var stored: DateUnit {
    switch self {
    case .year: .year
    case .month: .month
    case .week: .week
    case .day: .day
    case .hour: .hour
    case .minute: .minute
    case .second: .second
    }
  }
}
