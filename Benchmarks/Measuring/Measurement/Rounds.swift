import Workloads

/// Rounds in which each engine has its turn.
struct Rounds {
  let workload: String
  private(set) var sides: [Side] = []
  private var count = 0

  init(workload: String) { self.workload = workload }

  /// An engine, and what it has taken so far.
  struct Side {
    let contender: Contender
    var seconds: [Double] = []
    var peak: Int?
    var latencies: Latencies?

    var result: EngineResult {
      EngineResult(
        engine: contender.engine.name, seconds: seconds, peak: peak, latencies: latencies)
    }
  }

  mutating func append(_ contender: Contender) { sides.append(Side(contender: contender)) }

  /// A run of each engine that warms up, and tells what memory it takes: to ask for that empties the
  /// allocator, which the other runs are to find as a program does.
  mutating func warmUp() async throws {
    try await round(measuringMemory: true) { side, cost, _ in side.peak = cost.peak }
  }

  /// A run of each engine whose time counts.
  mutating func run() async throws {
    try await round { side, cost, _ in side.seconds.append(cost.seconds) }
  }

  /// A run of each engine in which single operations are timed.
  mutating func timeOperations(_ operations: Int) async throws {
    try await round(timing: operations) { side, _, run in
      side.latencies = Latencies(nanoseconds: run.latencies)
    }
  }

  func close() async { for side in sides { await side.contender.close() } }

  private mutating func round(
    measuringMemory: Bool = false, timing operations: Int? = nil,
    _ note: (inout Side, Cost, Run) -> Void
  ) async throws {
    var first: (engine: String, checksum: Checksum)?
    var unable: Set<Int> = []
    for index in Self.order(of: sides.count, round: count) {
      let contender = sides[index].contender
      let run = Run(recordingLatenciesOf: operations)
      guard let cost = try await contender.run(run, measuresMemory: measuringMemory) else {
        unable.insert(index)
        continue
      }
      if let first, first.checksum != cost.checksum {
        throw Disagreement(workload: workload, engines: [first.engine, contender.engine.name])
      }
      first = (contender.engine.name, cost.checksum)
      note(&sides[index], cost, run)
    }
    count += 1
    for index in unable.sorted().reversed() {
      await sides[index].contender.close()
      sides.remove(at: index)
    }
  }

  /// Whose turn it is: each begins in its turn, and has other neighbours when all have begun.
  static func order(of count: Int, round: Int) -> [Int] {
    guard count > 1 else { return Array(0..<count) }
    let first = (round + 1) % count
    let order = Array(first..<count) + Array(0..<first)
    return count > 2 && round / count % 2 == 1 ? order.reversed() : order
  }
}

/// Two engines read different values: at least one of them is wrong.
public struct Disagreement: Error, CustomStringConvertible {
  /// As in tables: `W4`.
  public let workload: String
  /// Their names.
  public let engines: [String]

  /// For messages.
  public var description: String {
    "\(workload): \(engines.joined(separator: " and ")) read different values."
  }
}
