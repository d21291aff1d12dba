/// The offsets of a time zone from UTC: a list of entries of 16 bytes, which are the beginning of a
/// period in seconds since 2001-01-01 00:00:00 UTC and the offset in seconds, both as integers in
/// the byte order of the machine. The entries ascend, and the first one also applies to all earlier
/// times. A list without entries is UTC.
package struct ZoneOffsets {
  private let bytes: UnsafeRawBufferPointer

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns the list for some periods.
  package static func list(_ periods: [(start: Int64, offset: Int64)]) -> [UInt8] {
    periods.flatMap { period in
      [period.start, period.offset].flatMap { value in withUnsafeBytes(of: value, Array.init) }
    }
  }

  private var count: Int { bytes.count / 16 }

  private func value(_ entry: Int, _ part: Int) -> Int64 {
    bytes.loadUnaligned(fromByteOffset: entry * 16 + part * 8, as: Int64.self)
  }

  /// Returns the offset at a time in UTC.
  func offset(at time: Int64) -> Int64 {
    guard count > 0 else { return 0 }
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if value(middle, 0) <= time { low = middle } else { high = middle }
    }
    // Also limits what a malformed list can cause.
    return min(max(value(low, 1), -86_400), 86_400)
  }

  /// Returns the time in UTC of a local time. Of two times, it is the one with the preferred offset,
  /// or else the first. For a time that is skipped, it is the time after the change.
  func time(ofLocal local: Int64, preferring preferred: Int64? = nil) -> Int64 {
    if let preferred, offset(at: local - preferred) == preferred { return local - preferred }
    let before = offset(at: local - 86_400)
    let after = offset(at: local + 86_400)
    if before == after || offset(at: local - before) == before { return local - before }
    return offset(at: local - after) == after ? local - after : local - before
  }
}
