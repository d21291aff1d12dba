public import ArgumentParser
import Foundation

/// The picture of the README, drawn from recorded measurements.
public struct OverviewOptions: ParsableArguments, Sendable {
  @Argument(help: "The document with the table of all engines.")
  var results = "Benchmarks/RESULTS.md"

  @Option(help: "Write the picture to this file.")
  var svg = "Benchmarks/chart.svg"

  /// The defaults.
  public init() {}

  /// Refuses an output that cannot be written.
  public func validate() throws { try OutputFile.check(svg) }

  /// Draws the picture.
  public func run() throws {
    let markdown = try String(contentsOf: URL(fileURLWithPath: results), encoding: .utf8)
    let overview = Overview(try RecordedRatios(markdown: markdown))
    try Data((overview.svg.text + "\n").utf8).write(to: URL(fileURLWithPath: svg))
  }
}
