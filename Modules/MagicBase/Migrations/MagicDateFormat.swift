/// The form of the dates in a table that another program created.
public enum MagicDateFormat: Sendable {
  /// Seconds since 2001-01-01 00:00:00 UTC, as in this library and in Core Data.
  case referenceSeconds
  /// Seconds since 1970-01-01 00:00:00 UTC.
  case unixSeconds
  /// Milliseconds since 1970-01-01 00:00:00 UTC.
  case unixMilliseconds
  /// Texts like `2026-01-31`, `2026-01-31 09:30:00.125` or `2026-01-31T09:30:00+02:00`. A text
  /// without an offset is in UTC.
  case iso8601
}
