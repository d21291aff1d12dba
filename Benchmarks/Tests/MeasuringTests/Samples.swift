import Synchronization
import Workloads

@testable import Measuring

/// Artificial results for tests.
enum Samples {
  /// A workload that takes a second on C, with the ratios of other engines.
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

/// An engine that does nothing.
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

/// An engine that fetches wrong values.
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

/// An engine that supports no work.
struct UnableEngine: Engine {
  static let name = "unable"
  static let version = "1"

  static func open(directory: String, durability: Durability) async throws -> UnableEngine {
    UnableEngine()
  }

  func job(for work: Work) async throws -> Job? { nil }

  func close() async {}
}

/// An engine that does not store the values that it should.
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

/// An engine whose jobs take 4 ms.
struct SteadyEngine: Engine {
  static let name = "C"
  static let version = "1"

  static func open(directory: String, durability: Durability) async throws -> SteadyEngine {
    SteadyEngine()
  }

  func job(for work: Work) async throws -> Job? {
    { run in
      let begin = run.begin()
      try await Task.sleep(for: .milliseconds(4))
      run.end(begin)
      return Checksum()
    }
  }

  func close() async {}
}

/// An engine whose first jobs take 100 ms, and later ones 4 ms.
struct SlowAtFirstEngine: Engine {
  static let name = "slow at first"
  static let version = "1"
  static let slowJobs = Atomic(0)

  static func open(directory: String, durability: Durability) async throws -> SlowAtFirstEngine {
    SlowAtFirstEngine()
  }

  func job(for work: Work) async throws -> Job? {
    { run in
      let left = Self.slowJobs.subtract(1, ordering: .relaxed).oldValue
      let begin = run.begin()
      try await Task.sleep(for: .milliseconds(left > 0 ? 100 : 4))
      run.end(begin)
      return Checksum()
    }
  }

  func close() async {}
}
