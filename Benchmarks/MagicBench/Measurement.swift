import Foundation

/// Runs one workload on both engines, turn by turn, so that what disturbs one disturbs the other.
struct Measurement {
  let workload: Workload
  let count: Int
  let runs: Int

  func result() async throws -> WorkloadResult {
    let sample = workload.sample(count)
    let operations = workload.operations(count)
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("magic-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }

    var magic = try await Contender<MagicEngine>(
      workload, sample, operations: operations, directory: directory)
    var twin = try await Contender<CTwin>(
      workload, sample, operations: operations, directory: directory)
    var samples: [(magic: Cost, twin: Cost)] = []
    var peaks: (magic: Int?, twin: Int?)
    // The first run of each warms up, and tells what memory it takes: to ask for that empties the
    // allocator, which the others are to find as a program does.
    for run in 0...runs {
      let magicFirst = run % 2 == 0
      var magicCost = Cost()
      if magicFirst { magicCost = try await magic.run(isFirst: run == 0) }
      let twinCost = try await twin.run(isFirst: run == 0)
      if !magicFirst { magicCost = try await magic.run(isFirst: run == 0) }
      guard magic.checksum == twin.checksum else { throw Disagreement(workload: workload.name) }
      if run == 0 {
        peaks = (magicCost.peak, twinCost.peak)
      } else {
        samples.append((magicCost, twinCost))
      }
    }
    await magic.close()
    await twin.close()
    return WorkloadResult(
      name: workload.name, title: workload.title, durability: workload.durability,
      operations: operations, magic: samples.map(\.magic.seconds),
      twin: samples.map(\.twin.seconds), magicPeak: peaks.magic, twinPeak: peaks.twin)
  }

  /// The engines read different values: at least one of them is wrong.
  struct Disagreement: Error {
    let workload: String
  }
}

/// What one run took.
private struct Cost {
  var seconds = 0.0
  /// By how many bytes the process grew at most; nil where the system does not tell.
  var peak: Int?
}

/// One engine in one workload.
private struct Contender<Side: Engine> {
  private let workload: Workload
  private let sample: Sample
  private let directory: String
  private let operations: Int
  private var filled: Side?
  private var ids: [String] = []
  private var members: [Side.StoredMember] = []
  private var packages: [Side.StoredPackage] = []
  private var stored: [Side.StoredPerson] = []
  private(set) var checksum = Checksum()

  init(_ workload: Workload, _ sample: Sample, operations: Int, directory: String) async throws {
    self.workload = workload
    self.sample = sample
    self.directory = directory
    self.operations = operations
    guard workload.isFilled else { return }
    let engine = try await Side.open(directory: directory, durability: workload.durability)
    filled = engine
    if !sample.people.isEmpty, workload.fillsPeople {
      try await engine.insert(Side.records(of: sample.people))
    }
    if !sample.teams.isEmpty { try await engine.insertTeams(Side.teamRecords(of: sample.teams)) }
    if !sample.archive.packages.isEmpty {
      let records = Side.packageRecords(of: sample.archive)
      try await engine.insertPackages(records)
      Side.release(records)
    }
    if case .playFilm = workload.kind { try await engine.storeFilm(PlainFilm(count: operations)) }
    switch workload.kind {
    case .lookUp, .fetchClosures: ids = sample.randomIDs(operations)
    case .lookUpTeams: members = try await engine.members(sample.randomIDs(operations))
    case .countDependents, .lookUpDependents:
      packages = try await engine.packages(sample.randomIDs(operations))
    case .readBesideWriter: ids = sample.randomIDs(operations)
    case .filter: try await engine.insertResidents(sample.people)
    case .changeAll:
      stored = try await engine.stored(Array(sample.people.prefix(operations)))
    case .replaceAll: break
    case .insert, .saveOneByOne, .saveAtOnce, .fetchAll, .insertTeams, .fetchTeams,
      .insertPackages, .fetchTeamsAlone, .streamMembers, .insertPhotos, .savePhotosOneByOne,
      .storeFilm, .playFilm, .rebuild:
      break
    }
  }

  /// - Parameter isFirst: whether the run is for warming up, and for its memory.
  mutating func run(isFirst: Bool) async throws -> Cost {
    if let filled {
      let records = workload.replaces(sample).map { Side.records(of: $0) }
      return try await measured(filled, Records(people: records ?? []), isFirst)
    }
    let own = directory + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: own) }
    if workload.changesPeople { return try await change(in: own, isFirst) }
    let engine = try await Side.open(directory: own, durability: workload.durability)
    let archive = Side.packageRecords(of: sample.archive)
    defer { Side.release(archive) }
    let cost = try await measured(
      engine,
      Records(
        people: Side.records(of: sample.people), teams: Side.teamRecords(of: sample.teams),
        archive: archive, photos: Side.photoRecords(of: sample.photos)), isFirst)
    await engine.close()
    return cost
  }

  /// A run that changes a table that was there.
  private mutating func change(in directory: String, _ isFirst: Bool) async throws -> Cost {
    let first = try await Side.open(directory: directory, durability: workload.durability)
    try await first.insert(Side.records(of: sample.people))
    await first.close()
    let engine = try await Side.reopen(directory: directory, durability: workload.durability)
    let cost = try await measured(engine, Records(), isFirst)
    checksum = try await engine.sumUpRebuilt()
    await engine.close()
    return cost
  }

  /// What is saved in a run.
  private struct Records {
    var people: [Side.Record] = []
    var teams: [Side.TeamRecord] = []
    var archive: Side.ArchiveRecord?
    var photos: [Side.PhotoRecord] = []
  }

  private mutating func measured(
    _ engine: Side, _ records: Records, _ isFirst: Bool
  ) async throws -> Cost {
    guard isFirst else { return Cost(seconds: try await time(engine, records)) }
    let (seconds, peak) = try await PeakMemory.measured { try await time(engine, records) }
    return Cost(seconds: seconds, peak: peak)
  }

  private mutating func time(_ engine: Side, _ records: Records) async throws -> Double {
    let start = ProcessInfo.processInfo.systemUptime
    try await work(engine, records)
    return ProcessInfo.processInfo.systemUptime - start
  }

  private mutating func work(_ engine: Side, _ records: Records) async throws {
    switch workload.kind {
    case .insert: try await engine.insert(records.people)
    case .saveOneByOne: try await engine.saveOneByOne(records.people)
    case .saveAtOnce: try await engine.saveAtOnce(records.people, tasks: 16)
    case .fetchAll(let readingValues):
      checksum = try await engine.fetchAll(readingValues: readingValues)
    case .lookUp: checksum = try await engine.lookUp(ids)
    case .filter: checksum = try await engine.filter(ages: (0..<200).map { $0 % 90 })
    case .changeAll: try await engine.change(stored)
    case .replaceAll: try await engine.replace(records.people)
    case .readBesideWriter(let tasks):
      checksum = try await engine.lookUp(ids, tasks: tasks, beside: PlainPerson.make(20_000, 43))
    case .insertTeams: try await engine.insertTeams(records.teams)
    case .fetchTeams: checksum = try await engine.fetchTeams()
    case .lookUpTeams: checksum = try await engine.lookUpTeams(of: members)
    case .insertPackages:
      if let archive = records.archive { try await engine.insertPackages(archive) }
    case .fetchClosures: checksum = try await engine.fetchClosures(ids)
    case .countDependents: checksum = try await engine.countDependents(of: packages)
    case .lookUpDependents: checksum = try await engine.lookUpDependents(of: packages)
    case .fetchTeamsAlone: checksum = try await engine.fetchTeamsAlone()
    case .streamMembers: checksum = try await engine.streamMembers()
    case .insertPhotos: try await engine.insertPhotos(records.photos)
    case .savePhotosOneByOne: try await engine.savePhotosOneByOne(records.photos)
    case .storeFilm: try await engine.storeFilm(PlainFilm(count: operations))
    case .playFilm: checksum = try await engine.playFilm()
    case .rebuild: try await engine.rebuild()
    }
  }

  func close() async { await filled?.close() }
}
