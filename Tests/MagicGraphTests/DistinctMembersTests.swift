import MagicTestSupport
import Testing

@testable import MagicGraph

/// Whether the rows of members occur once. Few and many rows are compared in different ways.
@Suite struct DistinctMembersTests {
  @Test(arguments: [1, 2, 3, 8, 9, 10, 40])
  func aRowThatOccursTwiceIsFound(count: Int64) {
    for rows in [Array(1...count), (1...count).reversed(), (1...count).map { $0 * 7 % 41 }] {
      #expect(MemberCapture.areDistinct(rows))
      #expect(MemberCapture.distinct(rows) == rows)
      for (place, row) in rows.enumerated() {
        for other in 0...rows.count {
          var doubled = rows
          doubled.insert(row, at: other)
          #expect(!MemberCapture.areDistinct(doubled), "\(rows): \(place) and \(other)")
          #expect(Set(MemberCapture.distinct(doubled)) == Set(rows))
          #expect(MemberCapture.distinct(doubled).count == rows.count)
        }
      }
    }
    #expect(MemberCapture.areDistinct([]))
  }
}
