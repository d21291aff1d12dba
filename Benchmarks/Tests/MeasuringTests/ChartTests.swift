import Foundation
import Testing
import Workloads

@testable import Measuring

struct ChartTests {
  @Test func everyDoublingHasTheSameDistance() {
    let scale = LogScale(for: [0.3, 7], pixels: 0...500)
    #expect(scale.exponents == -2...3)
    #expect([0.25, 0.5, 1, 2, 4, 8].map { scale($0) } == [0, 100, 200, 300, 400, 500])
    #expect(scale.ticks == [0.25, 0.5, 1, 2, 4, 8])
  }

  @Test func ratiosBeyondTheScaleAreAtItsEnd() {
    let scale = LogScale(for: [1], pixels: 10...20)
    #expect([0, 0.1, 100].map { scale($0) } == [10, 10, 20])
    #expect(!scale.contains(100) && scale.contains(2))
  }

  @Test func wordsAreWrappedEvenly() {
    #expect(wrapped("one two three four", at: 14) == ["one two three", "four"])
    #expect(evenlyWrapped("one two three four", at: 14) == ["one two", "three four"])
    #expect(wrapped("incomprehensible", at: 3) == ["incomprehensible"])
    #expect(wrapped("", at: 3) == [])
  }

  @Test func rowsDoNotOverlap() {
    let layout = ChartLayout(ChartData(report))
    for (row, next) in zip(layout.rows, layout.rows.dropFirst()) {
      #expect(row.y + row.height <= next.y)
    }
    #expect(layout.rows.allSatisfy { $0.y + $0.height <= layout.bottom })
  }

  @Test func theChartIsXMLWithABarForEachRatio() {
    let svg = report.svg
    let parser = XMLElements(svg)
    #expect(parser.isWellFormed)
    #expect(parser.count { $0["class"] == "e0" && $0["rx"] == "2" } == 2)
    #expect(parser.count { $0["class"] == "e1" && $0["rx"] == "2" } == 1)
    #expect(svg.contains("fish &lt;&amp; chips&gt;"))
    #expect(svg.contains("prefers-color-scheme: dark"))
  }

  @Test func thePageNeedsNoOtherFile() {
    let html = report.html
    #expect(html.contains("<svg") && html.contains("<table>"))
    #expect(!html.contains("src=") && !html.contains("href="))
  }

  @Test func onlyTheJudgedEngineHasATarget() {
    #expect(report.svg.contains("target of M"))
    let unjudged = ChartData(report(judged: "N"))
    #expect(unjudged.judged == nil && unjudged.rows.allSatisfy { $0.target == nil })
  }

  private var report: Report { report(judged: "M") }

  private func report(judged: String) -> Report {
    Report(
      results: [
        Samples.result(target: 1.2, others: ["M": [1.3, 1.4], "fish <& chips>": [18, 19]]),
        Samples.result(
          "W2", title: "a title that is so long that it has to be wrapped into two lines of text",
          others: ["M": [0.25, 0.3]]),
      ],
      engines: ["C", "M", "fish <& chips>"].map { .init(name: $0, version: "1") },
      judged: judged, settings: .init(), machine: .current())
  }
}
