import Foundation
import MagicRuntime

/// The lists of ``ZoneOffsets`` of time zones. They are computed once in a process, because a list
/// has several hundred entries.
enum TimeZoneOffsets {
  private static let lists = Mutex<[String: [UInt8]]>([:])

  /// Returns the offsets from 1900 to 2100. The first and the last also apply before and after.
  static func of(_ timeZone: TimeZone) -> [UInt8] {
    if let list = lists.withLock({ $0[timeZone.identifier] }) { return list }
    let list = ZoneOffsets.list(periods(of: timeZone))
    lists.withLock { $0[timeZone.identifier] = list }
    return list
  }

  private static func periods(of timeZone: TimeZone) -> [(start: Int64, offset: Int64)] {
    // 1900-01-01 and 2100-01-01, in seconds since 2001-01-01.
    var date = Date(timeIntervalSinceReferenceDate: -3_187_296_000)
    let end = Date(timeIntervalSinceReferenceDate: 3_124_137_600)
    func period(_ date: Date) -> (start: Int64, offset: Int64) {
      (
        Int64(date.timeIntervalSinceReferenceDate.rounded(.down)),
        Int64(timeZone.secondsFromGMT(for: date))
      )
    }
    var periods = [period(date)]
    while let next = timeZone.nextDaylightSavingTimeTransition(after: date), next > date,
      next < end
    {
      periods.append(period(next))
      date = next
    }
    return periods
  }
}
