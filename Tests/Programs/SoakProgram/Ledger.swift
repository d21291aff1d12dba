import Foundation
import MagicRuntime

/// A violation of an invariant.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The shared record of all tasks: calls, acknowledged counters, checks and findings.
final class Ledger: Locked, @unchecked Sendable {
  private var calls: [String: Int] = [:]
  private var checks: [String: Int] = [:]
  private var begunBeats: [Int: Int] = [:]
  private var beats: [Int: Int] = [:]
  private var found: [String] = []
  private var isOver = false
  private var flawCalls = 0

  override init() { super.init() }

  /// Whether the time is over, or a violation was found.
  var isDone: Bool { withLock { isOver || !found.isEmpty } }
  var findings: [String] { withLock { found } }

  func end() { withLock { isOver = true } }

  func note(_ finding: String) { withLock { found.append(finding) } }

  /// Counts a call.
  func count(_ call: String) { withLock { calls[call, default: 0] += 1 } }

  /// Counts a successful check.
  func didCheck(_ invariant: String, _ count: Int = 1) {
    withLock { checks[invariant, default: 0] += count }
  }

  func check(_ invariant: String, _ isTrue: Bool, _ text: @autoclosure () -> String) throws {
    guard isTrue else { throw Finding("\(invariant): \(text())") }
    didCheck(invariant)
  }

  /// Records that a call is about to increment a counter.
  func begin(beat number: Int, _ count: Int) { withLock { begunBeats[number] = count } }

  /// Records that the call that increments a counter has returned.
  func acknowledge(beat number: Int, _ count: Int) { withLock { beats[number] = count } }

  /// The counters with the increments of all calls that have begun.
  var begun: [Int: Int] { withLock { begunBeats } }
  /// The counters with the increments of all acknowledged calls.
  var acknowledged: [Int: Int] { withLock { beats } }

  /// Whether the flaw happens now: true for the nth caller only.
  func injectsFlaw(at position: Int) -> Bool {
    withLock {
      flawCalls += 1
      return flawCalls == position
    }
  }

  var callFigures: String { withLock { Self.text(calls) } }
  var checkFigures: String { withLock { Self.text(checks) } }
  var callCount: Int { withLock { calls.values.reduce(0, +) } }

  private static func text(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
