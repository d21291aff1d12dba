import Foundation

/// The number of rounds of a test: small by default, and set by environment variables for long
/// runs.
///
///     MAGIC_LONG=1 ci/test --filter KillTests
///     MAGIC_KILL_ROUNDS=1000 MAGIC_KILL_SEED=7 ci/test --filter KillTests
public struct Effort: Sendable {
  /// The number of rounds.
  public let rounds: Int
  /// The seed of its random choices.
  public let seed: UInt64

  /// - Parameters:
  ///   - name: the part of the variables between `MAGIC_` and `_ROUNDS` or `_SEED`.
  ///   - rounds: the default number of rounds.
  ///   - long: the default number of rounds of the long form.
  ///   - unit: the suffix of the variable instead of `ROUNDS`, such as `SECONDS`.
  public init(_ name: String, rounds: Int, long: Int? = nil, unit: String = "ROUNDS") {
    let environment = ProcessInfo.processInfo.environment
    self.rounds =
      environment["MAGIC_\(name)_\(unit)"].flatMap { Int($0) }
      ?? Self.choose(rounds, long: long ?? rounds)
    seed = environment["MAGIC_\(name)_SEED"].flatMap { UInt64($0) } ?? 1
  }

  /// The seed of a test without rounds: the value of `MAGIC_<name>_SEED`, or 1. Failures of the
  /// test name it.
  public static func seed(_ name: String) -> UInt64 { Effort(name, rounds: 1).seed }

  /// Whether `MAGIC_LONG=1` requests the long forms of all tests.
  public static let isLong = ProcessInfo.processInfo.environment["MAGIC_LONG"] == "1"

  /// One of two values; the second is that of the long form.
  public static func choose<Value>(_ short: Value, long: Value) -> Value { isLong ? long : short }

  /// The first elements, or all in the long form.
  public static func choose<Elements: Collection>(
    first count: Int, of elements: Elements
  ) -> [Elements.Element] {
    isLong ? Array(elements) : Array(elements.prefix(count))
  }
}
