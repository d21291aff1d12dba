import Foundation

/// How much a test does: little enough for every run by default, and what the environment asks for in
/// the long runs.
///
///     MAGIC_LONG=1 ci/test --filter KillTests
///     MAGIC_KILL_ROUNDS=1000 MAGIC_KILL_SEED=7 ci/test --filter KillTests
public struct Effort: Sendable {
  /// How often the test is to do what it does.
  public let rounds: Int
  /// What its random choices follow from.
  public let seed: UInt64

  /// - Parameters:
  ///   - name: what stands between `MAGIC_` and `_ROUNDS` or `_SEED`.
  ///   - rounds: how often where nothing is asked for.
  ///   - long: how often in the long form, where no number is asked for.
  ///   - unit: what is said in place of `ROUNDS`, such as `SECONDS`.
  public init(_ name: String, rounds: Int, long: Int? = nil, unit: String = "ROUNDS") {
    let environment = ProcessInfo.processInfo.environment
    self.rounds =
      environment["MAGIC_\(name)_\(unit)"].flatMap { Int($0) }
      ?? Self.choose(rounds, long: long ?? rounds)
    seed = environment["MAGIC_\(name)_SEED"].flatMap { UInt64($0) } ?? 1
  }

  /// The seed of a test without rounds: what `MAGIC_<name>_SEED` asks for, or 1. Failures of the test
  /// name it.
  public static func seed(_ name: String) -> UInt64 { Effort(name, rounds: 1).seed }

  /// Whether `MAGIC_LONG=1` asks for the long forms of all tests.
  public static let isLong = ProcessInfo.processInfo.environment["MAGIC_LONG"] == "1"

  /// One of two values, of which the second is that of the long form.
  public static func choose<Value>(_ short: Value, long: Value) -> Value { isLong ? long : short }

  /// The first elements, or all in the long form.
  public static func choose<Elements: Collection>(
    first count: Int, of elements: Elements
  ) -> [Elements.Element] {
    isLong ? Array(elements) : Array(elements.prefix(count))
  }
}
