import ArgumentParser
import CTwin
import MagicDataEngine
import Measuring
import Workloads

/// Measures the library and its raw-C twin in one process, interleaved.
@main
struct MagicBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "magic-bench",
    abstract: "Measures MagicData against hand-written C calls to SQLite, in one process.",
    subcommands: [Compare.self, Scaling.self, DrawOverview.self], defaultSubcommand: Compare.self)

  /// The engines; the first is the base of ratios.
  static let engines: [any Engine.Type] = [CTwin.self, MagicDataEngine.self]
  /// The engine with targets.
  static let judged: any Engine.Type = MagicDataEngine.self
}

/// Runs the workloads.
struct Compare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs workloads: how long each takes, in the time of the C calls.")

  @OptionGroup var options: ComparisonOptions

  func run() async throws {
    try await Comparison(
      engines: MagicBench.engines + [FoundationJSON.self], judged: MagicBench.judged,
      options: options
    ).run()
  }
}

/// Measures with increasing numbers of rows.
struct Scaling: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the cost of a row, from few rows to many.")

  @OptionGroup var options: ScalingOptions

  func run() async throws {
    try await options.run(engines: MagicBench.engines, judged: MagicBench.judged)
  }
}

/// Draws recorded results, without measuring.
struct DrawOverview: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "overview",
    abstract: "Draws the picture of the README from the table of all engines in RESULTS.md.")

  @OptionGroup var options: OverviewOptions

  func run() async throws { try options.run() }
}
