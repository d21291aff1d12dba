public import Workloads

/// Runs a workload on all engines in turn, so that other load on the machine affects all of them.
public struct Measurement: Sendable {
  let workload: Workload
  let engines: [any Engine.Type]
  let settings: Settings

  /// - Parameter engines: The engines; the first is the base of ratios.
  public init(_ workload: Workload, engines: [any Engine.Type], settings: Settings = Settings()) {
    self.workload = workload
    self.engines = engines
    self.settings = settings
  }

  /// The settings of a measurement.
  public struct Settings: Sendable {
    /// The number of people in the database, or of members in teams of ten.
    public var count = 100_000
    /// The number of measured runs, after one to warm up.
    public var runs = 7
    /// The durability, if it differs from the workload's.
    public var durability: Durability?
    /// Whether single operations are timed, in a separate run.
    public var latencies = true

    /// Creates the settings of the published results.
    public init() {}
  }

  /// Measures.
  ///
  /// - Parameter progress: A closure that is called with the name of each run that begins.
  public func result(
    progress: (_ run: String) -> Void = { _ in }
  ) async throws -> WorkloadResult {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let steps = workload.steps(count: settings.count)
    var rounds = Rounds(workload: workload.name)
    for (index, engine) in engines.enumerated() {
      let contender = try await Contender(
        engine, workload, steps, durability: durability, directory: scratch.path + "/\(index)")
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

  /// The number of calls of `progress`.
  var rounds: Int { 1 + settings.runs + (timesOperations ? 1 : 0) }

  private var timesOperations: Bool { settings.latencies && workload.isOfSingleOperations }

  private var durability: Durability { settings.durability ?? workload.durability }

  /// An error for a workload that the first engine does not support, so that there is no base of
  /// ratios.
  public struct NoBase: Error, CustomStringConvertible {
    let workload: String

    /// A description for messages.
    public var description: String { "\(workload): the first engine has nothing for it." }
  }
}
