import Foundation
public import Workloads

/// Runs one workload on all engines, turn by turn, so that what disturbs one disturbs the others.
public struct Measurement: Sendable {
  let workload: Workload
  let engines: [any Engine.Type]
  let settings: Settings

  /// - Parameter engines: the first is the base of ratios.
  public init(_ workload: Workload, engines: [any Engine.Type], settings: Settings = Settings()) {
    self.workload = workload
    self.engines = engines
    self.settings = settings
  }

  /// How to measure.
  public struct Settings: Sendable {
    /// People in the database, or members in teams of ten.
    public var count = 100_000
    /// Measured runs, after one to warm up.
    public var runs = 7
    /// In place of the workload's own.
    public var durability: Durability?
    /// Whether single operations are timed, in a run of their own.
    public var latencies = true

    /// As the published results were measured.
    public init() {}
  }

  /// Measures.
  ///
  /// - Parameter progress: is told what begins.
  public func result(
    progress: (_ run: String) -> Void = { _ in }
  ) async throws -> WorkloadResult {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("magic-bench-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let steps = workload.steps(count: settings.count)
    var rounds = Rounds(workload: workload.name)
    for (index, engine) in engines.enumerated() {
      let contender = try await Contender(
        engine, workload, steps, durability: durability, directory: directory + "/\(index)")
      if let contender { rounds.append(contender) }
    }
    progress("warming up")
    try await rounds.warmUp()
    guard let base = rounds.sides.first, base.contender.engine == engines.first else {
      throw NoBase(workload: workload.name)
    }
    for run in 1...settings.runs {
      progress("run \(run) of \(settings.runs)")
      try await rounds.run()
    }
    if timesOperations {
      progress("timing operations")
      try await rounds.timeOperations(steps.operations)
    }
    await rounds.close()
    return WorkloadResult(
      name: workload.name, title: workload.title, durability: durability,
      operations: steps.operations, target: workload.target,
      engines: rounds.sides.map(\.result))
  }

  /// How often `progress` is told.
  var rounds: Int { 1 + settings.runs + (timesOperations ? 1 : 0) }

  private var timesOperations: Bool { settings.latencies && workload.isOfSingleOperations }

  private var durability: Durability { settings.durability ?? workload.durability }

  /// The first engine has nothing for the workload, so that there is nothing to compare with.
  public struct NoBase: Error, CustomStringConvertible {
    let workload: String

    /// For messages.
    public var description: String { "\(workload): the first engine has nothing for it." }
  }
}
