import Foundation
import Workloads

/// A run with one database of each engine, which is filled, read and removed.
struct ScalingRun {
  private let size: ScalingSize
  private let engines: [any Engine]
  /// The number of the round, which determines the first engine.
  private var round: Int
  private(set) var seconds: [ScalingMeasure: [Double]] = [:]
  /// The maximum growth of the process in bytes during the stream; nil if it was not measured.
  private(set) var peaks: [Int?] = []

  /// - Parameter number: The number of earlier runs.
  init(_ size: ScalingSize, _ engines: [any Engine], number: Int) {
    self.size = size
    self.engines = engines
    round = number
    peaks = engines.map { _ in nil }
  }

  mutating func run(measuresMemory: Bool, progress: (ScalingMeasure) -> Void) async throws {
    progress(.insert)
    var ids: [String] = []
    for batch in size.batches {
      let people = size.people(batch)
      ids += size.ids(batch, of: people)
      try await time(.insertPeople(people), as: .insert)
    }
    var random = SplitMix(state: 7)
    ids.shuffle(using: &random)
    progress(.insertNumbered)
    for batch in size.batches {
      try await time(.insertEntries(size.entries(batch)), as: .insertNumbered)
    }
    progress(.fetch)
    try await time(.fetchPeople(readingValues: true), as: .fetch)
    progress(.stream)
    try await time(.streamPeople, as: .stream)
    if measuresMemory { try await measureMemory() }
    progress(.lookUp)
    try await time(.lookUpPeople(ids), as: .lookUp)
    progress(.fetchTeams)
    for batch in size.batches { try await each(.insertTeams(size.teams(batch))) { _, _ in } }
    try await time(.fetchTeams, as: .fetchTeams)
  }

  private mutating func time(_ work: Work, as measure: ScalingMeasure) async throws {
    var seconds = seconds[measure] ?? engines.map { _ in 0 }
    try await each(work) { seconds[$0] += $1.seconds }
    self.seconds[measure] = seconds
  }

  private mutating func measureMemory() async throws {
    var peaks = peaks
    try await each(.streamPeople, measuresMemory: true) { peaks[$0] = $1.peak }
    self.peaks = peaks
  }

  private mutating func each(
    _ work: Work, measuresMemory: Bool = false, _ note: (Int, Cost) -> Void
  ) async throws {
    var agreement = Agreement()
    for index in Rounds.order(of: engines.count, round: round) {
      let engine = engines[index]
      guard let job = try await engine.job(for: work) else {
        throw Unable(engine: type(of: engine).name)
      }
      let cost = try await Cost.measured(job, Run(), measuresMemory: measuresMemory)
      try agreement.add(cost.checksum, of: type(of: engine), in: "scaling")
      note(index, cost)
    }
    round += 1
  }

  /// An error for a work that an engine does not support.
  struct Unable: Error, CustomStringConvertible {
    let engine: String

    var description: String { "\(engine) has nothing for what scaling measures." }
  }
}
