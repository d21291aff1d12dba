import Workloads

@testable import Measuring

/// Results made up for tests.
enum Samples {
  /// One workload on C, which takes a second, and on others, by name and ratios.
  static func result(
    _ name: String = "W1", title: String = "insert all", target: Double? = nil,
    peak: Int? = nil, others: KeyValuePairs<String, [Double]>
  ) -> WorkloadResult {
    let runs = others.first?.value.count ?? 0
    return WorkloadResult(
      name: name, title: title, durability: .normal, operations: 1_000_000_000, target: target,
      engines: [EngineResult(engine: "C", seconds: Array(repeating: 1, count: runs), peak: nil)]
        + others.map { EngineResult(engine: $0.key, seconds: $0.value, peak: peak) })
  }
}

/// Does nothing.
struct IdleEngine: Engine {
  static let name = "C"
  static let version = "1"

  static func open(directory: String, durability: Durability) async throws -> IdleEngine {
    IdleEngine()
  }

  func job(for work: Work) async throws -> Job? {
    { run in
      run.end(run.begin())
      return Checksum()
    }
  }

  func close() async {}
}

/// Reads something else than others.
struct WrongEngine: Engine {
  static let name = "wrong"
  static let version = "1"

  static func open(directory: String, durability: Durability) async throws -> WrongEngine {
    WrongEngine()
  }

  func job(for work: Work) async throws -> Job? {
    { _ in
      var checksum = Checksum()
      checksum.add(1)
      return checksum
    }
  }

  func close() async {}
}

/// Has nothing for any work.
struct UnableEngine: Engine {
  static let name = "unable"
  static let version = "1"

  static func open(directory: String, durability: Durability) async throws -> UnableEngine {
    UnableEngine()
  }

  func job(for work: Work) async throws -> Job? { nil }

  func close() async {}
}

/// Reads something else than others of what it should have written.
struct ForgetfulEngine: Engine {
  static let name = "forgetful"
  static let version = "1"

  static func open(directory: String, durability: Durability) async throws -> ForgetfulEngine {
    ForgetfulEngine()
  }

  func job(for work: Work) async throws -> Job? {
    { _ in
      var checksum = Checksum()
      switch work {
      case .fetchPeople, .sumUpRebuiltPeople: checksum.add(1)
      default: break
      }
      return checksum
    }
  }

  func close() async {}
}
