import Workloads

/// Rounds with a run of each engine.
struct Rounds {
  let workload: String
  private(set) var sides: [Side] = []
  private var count = 0

  init(workload: String) { self.workload = workload }

  /// An engine, and its costs so far.
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

  /// Runs each engine once to warm up, and measures its memory and reads its written values.
  mutating func warmUp() async throws {
    try await round(isFirst: true) { side, cost, _ in side.peak = cost.peak }
  }

  /// Runs each engine once, and measures the time.
  mutating func run() async throws {
    try await round { side, cost, _ in side.seconds.append(cost.seconds) }
  }

  /// Runs each engine once, and measures the latencies of single operations.
  mutating func timeOperations(_ operations: Int) async throws {
    try await round(timing: operations) { side, _, run in
      side.latencies = Latencies(nanoseconds: run.latencies)
    }
  }

  func close() async { for side in sides { await side.contender.close() } }

  private mutating func round(
    isFirst: Bool = false, timing operations: Int? = nil,
    _ note: (inout Side, Cost, Run) -> Void
  ) async throws {
    var (read, written) = (Agreement(), Agreement())
    var unable: Set<Int> = []
    for index in Self.order(of: sides.count, round: count) {
      let contender = sides[index].contender
      let run = Run(recordingLatenciesOf: operations)
      guard let cost = try await contender.run(run, isFirst: isFirst) else {
        unable.insert(index)
        continue
      }
      try read.add(cost.checksum, of: contender.engine, in: workload)
      try cost.written.map { try written.add($0, of: contender.engine, in: workload) }
      note(&sides[index], cost, run)
    }
    count += 1
    for index in unable.sorted().reversed() {
      await sides[index].contender.close()
      sides.remove(at: index)
    }
  }

  /// The order of engines in a round. Each engine is the first in turn, and its neighbours change
  /// when all have been.
  static func order(of count: Int, round: Int) -> [Int] {
    guard count > 1 else { return Array(0..<count) }
    let first = (round + 1) % count
    let order = Array(first..<count) + Array(0..<first)
    return count > 2 && round / count % 2 == 1 ? order.reversed() : order
  }
}
