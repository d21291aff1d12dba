import Foundation
import Testing

@testable import Measuring

struct OverviewTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func read(_ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func aTableIsReadWithItsEngines() throws {
    let ratios = try RecordedRatios(
      markdown: """
        A line.
        | workload | MagicData | other, raw |
        |---|---:|---:|
        | W1 insert all | **1.16** | 3.44 |
        | W2 durable saves | 1.13 | **0.9** |

        | W3 of another table | 1 | 2 |
        """)
    #expect(ratios.engines == ["MagicData", "other, raw"])
    #expect(
      ratios.rows == [
        .init(name: "W1", title: "insert all", ratios: [1.16, 3.44]),
        .init(name: "W2", title: "durable saves", ratios: [1.13, 0.9]),
      ])
  }

  @Test func aRowWithoutAllRatiosIsRefused() {
    #expect(throws: (any Error).self) {
      try RecordedRatios(markdown: "| workload | MagicData |\n|---|---:|\n| W1 insert | – |\n")
    }
    #expect(throws: (any Error).self) { try RecordedRatios(markdown: "No table.") }
  }

  /// Run `magic-bench overview` after a change of the table.
  @Test func thePictureShowsTheRecordedResults() throws {
    let overview = Overview(try RecordedRatios(markdown: try Self.read("RESULTS.md")))
    let svg = overview.svg.text + "\n"
    #expect(try Self.read("chart.svg") == svg)
    let elements = XMLElements(svg)
    #expect(elements.isWellFormed)
    #expect(overview.rows.map(\.name) == Overview.workloads)
    for engine in overview.engines.indices {
      // The bars of eight workloads and one in the legend.
      #expect(elements.count { $0["class"] == "e\(engine)" } == 9)
    }
    #expect(svg.contains("prefers-color-scheme: dark"))
  }
}
