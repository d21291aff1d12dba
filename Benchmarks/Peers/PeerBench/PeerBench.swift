import ArgumentParser
import Measuring
import PeerEngines

/// Runs the workloads with other libraries too, in one process, interleaved.
@main
struct PeerBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "peer-bench",
    abstract: "Measures MagicData and its peers against hand-written C calls to SQLite.")

  @OptionGroup var options: ComparisonOptions
  @OptionGroup var engines: EngineOptions

  func validate() throws { _ = try engines.chosen(of: Peers.engines) }

  func run() async throws {
    let engines = try engines.chosen(of: Peers.engines)
    try await Comparison(engines: engines, judged: Peers.judged, options: options).run()
  }
}
