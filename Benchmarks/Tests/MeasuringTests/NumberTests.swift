import Testing

@testable import Measuring

struct NumberTests {
  @Test func medianOfAnOddNumberIsTheMiddle() { #expect(Spread([3, 1, 2]).median == 2) }

  @Test func medianOfAnEvenNumberIsBetweenTheMiddleTwo() {
    #expect(Spread([4, 1, 2, 3]).median == 2.5)
  }

  @Test func quartilesAreBetweenValues() {
    let spread = Spread([5, 1, 3, 2, 4])
    #expect(spread.lowerQuartile == 2 && spread.upperQuartile == 4)
    #expect(Spread([1, 2]).upperQuartile == 1.75)
  }

  @Test func allQuantilesOfOneValueAreThatValue() {
    let spread = Spread([7])
    #expect([spread.lowest, spread.lowerQuartile, spread.median, spread.highest] == [7, 7, 7, 7])
  }

  @Test func noValuesHaveNoMedian() { #expect(Spread([]).median.isNaN) }

  @Test func twoPlacesAreRounded() {
    #expect(
      [1.005, 0.999, 12, -0.25, -0.001].map(\.twoPlaces) == [
        "1.00", "1.00", "12.00", "-0.25", "0.00",
      ])
    #expect(Double.nan.twoPlaces == "–")
  }

  @Test func thousandsAreSeparated() {
    #expect(
      [0, 999, 1000, 1_234_567, -1000].map(\.grouped) == [
        "0", "999", "1,000", "1,234,567", "-1,000",
      ])
  }

  @Test func percentilesAreExactToThreeDigits() {
    let latencies = Latencies(nanoseconds: (1...1_000).reversed())
    #expect(latencies.count == 1_000)
    #expect([latencies.p50, latencies.p90, latencies.p99, latencies.p999] == [500, 900, 990, 999])
    #expect(latencies.max == 1_000)
  }

  @Test func aPercentileIsNeverAboveTheLongest() {
    let latencies = Latencies(nanoseconds: [16_000_001])
    #expect(latencies.p50 == 16_000_001 && latencies.max == 16_000_001)
  }

  @Test func noLatenciesAreZero() { #expect(Latencies(nanoseconds: []).p90 == 0) }

  @Test(arguments: [
    (99, false, false), (100, true, false), (999, true, false), (1_000, true, true),
  ])
  func rarePercentilesAreReportedOnlyForManyOperations(
    _ count: Int, _ hasP99: Bool, _ hasP999: Bool
  ) {
    let latencies = Latencies(nanoseconds: Array(repeating: 7, count: count))
    #expect(latencies.p99 == (hasP99 ? 7 : nil))
    #expect(latencies.p999 == (hasP999 ? 7 : nil))
  }
}
