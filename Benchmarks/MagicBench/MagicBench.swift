import ArgumentParser
import CTwin
import MagicEngine
import Measuring

/// Runs the workloads against the library and its raw-C twin in one process, interleaved.
@main
struct MagicBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "magic-bench",
    abstract: "Measures MagicData against hand-written C calls to SQLite, in one process.")

  @OptionGroup var options: ComparisonOptions

  func run() async throws {
    try await Comparison(engines: [CTwin.self, MagicEngine.self], options: options).run()
  }
}
