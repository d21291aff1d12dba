import Foundation
import MagicRuntime

/// What should not have happened.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// What all tasks keep in common: what was done and acknowledged, and what was found amiss.
final class Ledger: Locked, @unchecked Sendable {
  private var calls: [String: Int] = [:]
  private var checks: [String: Int] = [:]
  private var begunBeats: [Int: Int] = [:]
  private var beats: [Int: Int] = [:]
  private var found: [String] = []
  private var isOver = false
  private var tricks = 0

  override init() { super.init() }

  /// Whether the time is over, or something was found.
  var isDone: Bool { withLock { isOver || !found.isEmpty } }
  var findings: [String] { withLock { found } }

  func end() { withLock { isOver = true } }

  func note(_ finding: String) { withLock { found.append(finding) } }

  /// A call was made.
  func count(_ call: String) { withLock { calls[call, default: 0] += 1 } }

  /// Something was compared and is as it should be.
  func didCheck(_ invariant: String, _ count: Int = 1) {
    withLock { checks[invariant, default: 0] += count }
  }

  func check(_ invariant: String, _ isSo: Bool, _ text: @autoclosure () -> String) throws {
    guard isSo else { throw Finding("\(invariant): \(text())") }
    didCheck(invariant)
  }

  /// A counter is about to be raised.
  func begin(beat number: Int, _ count: Int) { withLock { begunBeats[number] = count } }

  /// A counter was raised, and the call has returned.
  func acknowledge(beat number: Int, _ count: Int) { withLock { beats[number] = count } }

  /// The counters, whatever of them is stored already.
  var begun: [Int: Int] { withLock { begunBeats } }
  /// The counters as they were acknowledged.
  var acknowledged: [Int: Int] { withLock { beats } }

  /// Whether a promise is to be broken now: once, by who asks at the nth time.
  func isTrick(at position: Int) -> Bool {
    withLock {
      tricks += 1
      return tricks == position
    }
  }

  var callFigures: String { withLock { Self.text(calls) } }
  var checkFigures: String { withLock { Self.text(checks) } }
  var callCount: Int { withLock { calls.values.reduce(0, +) } }

  private static func text(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
