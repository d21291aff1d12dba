import ArgumentParser
import Measuring
import PeerEngines

/// Runs the workloads against other libraries as well, in one process, interleaved.
@main
struct PeerBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "peer-bench",
    abstract: "Measures MagicData and its peers against hand-written C calls to SQLite.")

  @OptionGroup var options: ComparisonOptions

  func run() async throws {
    try await Comparison(engines: Peers.engines, options: options).run()
  }
}
