import Foundation

/// How much a test does: little enough for every run by default, and what the environment asks for in
/// the long runs.
///
///     MAGIC_KILL_ROUNDS=1000 MAGIC_KILL_SEED=7 swift test --filter KillTests
public struct Effort: Sendable {
  /// How often the test is to do what it does.
  public let rounds: Int
  /// What its random choices follow from.
  public let seed: UInt64

  /// - Parameters:
  ///   - name: what stands between `MAGIC_` and `_ROUNDS` or `_SEED`.
  ///   - rounds: how often where nothing is asked for.
  ///   - unit: what is said in place of `ROUNDS`, such as `SECONDS`.
  public init(_ name: String, rounds: Int, unit: String = "ROUNDS") {
    let environment = ProcessInfo.processInfo.environment
    self.rounds = environment["MAGIC_\(name)_\(unit)"].flatMap { Int($0) } ?? rounds
    seed = environment["MAGIC_\(name)_SEED"].flatMap { UInt64($0) } ?? 1
  }
}
