import Foundation

/// Runs one workload on both engines, turn by turn, so that what disturbs one disturbs the other.
struct Measurement {
  let workload: Workload
  let count: Int
  let runs: Int

  func result() async throws -> WorkloadResult {
    let people = PlainPerson.make(
      workload.isFilled || workload.name == "W1" ? count : workload.operations(count))
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("magic-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }

    var magic = try await Contender<MagicEngine>(workload, people, directory: directory)
    var twin = try await Contender<CTwin>(workload, people, directory: directory)
    var samples: [(magic: Double, twin: Double)] = []
    // The first run of each warms up.
    for run in 0...runs {
      let magicFirst = run % 2 == 0
      var magicTime = 0.0
      var twinTime = 0.0
      if magicFirst { magicTime = try await magic.run() }
      twinTime = try await twin.run()
      if !magicFirst { magicTime = try await magic.run() }
      guard magic.checksum == twin.checksum else { throw Disagreement(workload: workload.name) }
      if run > 0 { samples.append((magicTime, twinTime)) }
    }
    await magic.close()
    await twin.close()
    return WorkloadResult(
      name: workload.name, title: workload.title, durability: workload.durability,
      operations: workload.operations(count), magic: samples.map(\.magic),
      twin: samples.map(\.twin))
  }

  /// The engines read different values: at least one of them is wrong.
  struct Disagreement: Error {
    let workload: String
  }
}

/// One engine in one workload.
private struct Contender<Side: Engine> {
  private let workload: Workload
  private let people: [PlainPerson]
  private let directory: String
  private var filled: Side?
  private let ids: [String]
  private(set) var checksum = Checksum()

  init(_ workload: Workload, _ people: [PlainPerson], directory: String) async throws {
    self.workload = workload
    self.people = people
    self.directory = directory
    var random = SplitMix(state: 7)
    ids =
      if case .lookUp = workload.kind {
        (0..<workload.operations(people.count)).map { _ in
          people.randomElement(using: &random)?.id ?? ""
        }
      } else { [] }
    if workload.isFilled {
      let engine = try await Side.open(directory: directory, durability: workload.durability)
      try await engine.insert(Side.records(of: people))
      filled = engine
    }
  }

  /// One run's time in seconds.
  mutating func run() async throws -> Double {
    if let filled { return try await measured(filled, []) }
    let own = directory + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: own) }
    let engine = try await Side.open(directory: own, durability: workload.durability)
    let time = try await measured(engine, Side.records(of: people))
    await engine.close()
    return time
  }

  private mutating func measured(_ engine: Side, _ records: [Side.Record]) async throws -> Double {
    let start = ProcessInfo.processInfo.systemUptime
    switch workload.kind {
    case .insert: try await engine.insert(records)
    case .saveOneByOne: try await engine.saveOneByOne(records)
    case .fetchAll(let readingValues):
      checksum = try await engine.fetchAll(readingValues: readingValues)
    case .lookUp: checksum = try await engine.lookUp(ids)
    }
    return ProcessInfo.processInfo.systemUptime - start
  }

  func close() async { await filled?.close() }
}
