/// Chooses the positions of list members.
///
/// Positions have gaps between them, so that a member can be inserted anywhere without moving
/// others. In a shared file the low bits of a position are those of the store's number: two stores
/// that insert at the same place of a list choose different positions.
package struct ListPositions: Equatable, Sendable {
  /// The number of low bits that contain the number of the store.
  private let tagBits: Int64
  private let tag: Int64
  /// The distance between the members of a new list, in multiples of the lowest bit above the tag.
  private let unitSpacing: Int64

  /// The distance between the positions of a new list: 24 members can be inserted one by one
  /// between two neighbours, and 2³⁹ at the end.
  package static let spacing: Int64 = 1 << 24

  /// The number of low bits that contain the number of the store, in a shared file.
  package static let sharedTagBits: Int64 = 16

  init(storeNumber: Int64) {
    guard storeNumber != 0 else {
      (tagBits, tag, unitSpacing) = (0, 0, Self.spacing)
      return
    }
    // The distance is 2³⁶: 20 members can be inserted one by one between two neighbours, and 2²⁷ at
    // the end.
    tagBits = Self.sharedTagBits
    tag = storeNumber & (1 << Self.sharedTagBits - 1)
    unitSpacing = 1 << 20
  }

  /// Returns the position of a member of a new list.
  package func first(_ index: Int64) -> Int64 { position((index + 1) * unitSpacing) }

  /// Returns positions after another one; nil if there are not enough.
  package func after(_ start: Int64, count: Int) -> [Int64]? { spaced(units(start), count) }

  /// Returns positions before another one; nil if there are not enough.
  package func before(_ end: Int64, count: Int) -> [Int64]? {
    let (distance, isTooFar) = Int64(count + 1).multipliedReportingOverflow(by: unitSpacing)
    let (start, overflow) = units(end).subtractingReportingOverflow(distance)
    guard !isTooFar, !overflow, start >= Int64.min >> tagBits else { return nil }
    return spaced(start, count)
  }

  /// Returns positions between two others; nil if there are not enough.
  package func between(_ lower: Int64, _ upper: Int64, count: Int) -> [Int64]? {
    between(units: units(lower), units(upper), count)
  }

  /// Returns positions for the members of a window that gets new positions; nil if the window is
  /// too small.
  ///
  /// Members are often inserted again at the place where a gap was used up, so half of the span is
  /// left free there, and a larger window needs more free span per member. Inserting 10,000 members
  /// one by one at one place then writes 7.5 rows per member. With evenly distributed positions and
  /// the same span for each member, it would write 79 rows per member, and the number would grow.
  package func inWindow(from lower: Int64, to upper: Int64, count: Int) -> [Int64]? {
    let (lower, upper) = (units(lower), units(upper))
    let (span, overflow) = upper.subtractingReportingOverflow(lower)
    let root = (Double(count) / 32).squareRoot()
    let needed = Double(count + 1) * 256 * root * root.squareRoot()
    guard !overflow, Double(span) > needed else { return nil }
    return between(units: lower + span / 2, upper, count)
  }

  /// A position without the tag.
  private func units(_ position: Int64) -> Int64 { position >> tagBits }

  private func position(_ units: Int64) -> Int64 { units << tagBits | tag }

  private func spaced(_ start: Int64, _ count: Int) -> [Int64]? {
    let (distance, isTooFar) = Int64(count).multipliedReportingOverflow(by: unitSpacing)
    let (last, overflow) = start.addingReportingOverflow(distance)
    guard !isTooFar, !overflow, last <= Int64.max >> tagBits else { return nil }
    return (0..<count).map { position(start + Int64($0 + 1) * unitSpacing) }
  }

  private func between(units lower: Int64, _ upper: Int64, _ count: Int) -> [Int64]? {
    let (span, overflow) = upper.subtractingReportingOverflow(lower)
    let step = (overflow ? Int64.max : span) / Int64(count + 1)
    guard step >= 1 else { return nil }
    return (0..<count).map { position(lower + Int64($0 + 1) * step) }
  }
}
