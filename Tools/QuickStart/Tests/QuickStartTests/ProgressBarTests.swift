import Testing

@testable import QuickStart

@Suite struct ProgressBarTests {
  private let bar = ProgressBar("Saving", isDrawn: true)

  @Test func theBarGrowsWithTheJob() {
    #expect(bar.line(0, "a") == "Saving [                        ]   0 %  a")
    #expect(bar.line(0.5, "b") == "Saving [============            ]  50 %  b")
    #expect(bar.line(1, "c") == "Saving [========================] 100 %  c")
  }

  @Test func aFractionOutOfRangeKeepsTheBarsWidth() {
    #expect(bar.line(-1, "") == bar.line(0, ""))
    #expect(bar.line(7, "") == bar.line(1, ""))
  }
}
