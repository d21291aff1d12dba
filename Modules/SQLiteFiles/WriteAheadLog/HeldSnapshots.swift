import CMagicRuntime
import Dispatch
import MagicRuntime
package import MagicSQLite

/// Limits how long the readers of a database hold snapshots between reads.
///
/// A held snapshot keeps the write-ahead log from being restarted, also by other processes. Time is
/// therefore divided into turns, of 10 ms by default. A reader that is used ends its snapshot with
/// the turn; the snapshot of an idle reader is ended after one or two turns. Turns pass only while a
/// snapshot is held, so an idle database needs no timer.
package final class HeldSnapshots: @unchecked Sendable {
  /// The duration of a turn, in nanoseconds.
  private let turnTime: UInt64
  private static let queue = DispatchQueue(label: "MagicData.snapshots", qos: .utility)
  /// Set while no snapshot may be held.
  private static let pauseBit: UInt32 = 1
  /// The number of the turn has the bits above the pause bit.
  private static let turnStep: UInt32 = 2

  /// The turn and the pause bit. Changed with the lock held, read without it.
  private let word: UnsafeMutablePointer<UInt32>
  private let lock = Lock()
  // Guarded by the lock.
  private var isTimerSet = false
  private var endIdleReaders: (@Sendable (_ except: UInt32?) -> Bool)?

  /// - Parameter time: the duration of a turn, in seconds; 0 if no snapshot is held.
  package init(time: Double) {
    turnTime = UInt64(time * 1e9)
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
  }

  deinit { word.deallocate() }

  /// The longest time between two reads that make a reader hold a snapshot, in nanoseconds.
  package var maximumPause: UInt64 { turnTime / 10 }

  /// - Parameter endIdleReaders: ends the snapshots of idle readers, except those of a turn, and
  ///   returns whether a reader still holds one, idle or not.
  package func connect(_ endIdleReaders: @escaping @Sendable (_ except: UInt32?) -> Bool) {
    lock.withLock { self.endIdleReaders = endIdleReaders }
  }

  /// Called before each call that reads.
  ///
  /// - Throws: ``SQLiteError`` if a snapshot that is not current cannot be ended.
  package func prepareRead(on connection: SQLiteConnection) throws(SQLiteError) {
    let bits = magic_bits_load(word)
    if try connection.prepareRead(in: bits & Self.pauseBit == 0 ? bits : nil) { setTimer() }
  }

  /// Ends the snapshots of idle readers.
  package func endIdle() { _ = endIdle(exceptIn: nil) }

  /// Runs a body that waits until no reader uses the log. Meanwhile no reader begins to hold a
  /// snapshot. Only one thread at a time calls this.
  func pausing<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.withLock { magic_bits_store(word, magic_bits_load(word) | Self.pauseBit) }
    defer { lock.withLock { magic_bits_store(word, magic_bits_load(word) & ~Self.pauseBit) } }
    return try body()
  }

  private func endIdle(exceptIn turn: UInt32?) -> Bool {
    lock.withLock { endIdleReaders }?(turn) ?? false
  }

  private func setTimer() {
    let mustSet = lock.withLock {
      defer { isTimerSet = true }
      return !isTimerSet
    }
    guard mustSet else { return }
    Self.queue.asyncAfter(deadline: .now() + Double(turnTime) / 1e9) { [weak self] in
      self?.endTurn()
    }
  }

  private func endTurn() {
    // The timer counts as not set before the readers are checked, so that a reader that begins to
    // hold a snapshot afterwards sets it.
    let ended = lock.withLock {
      isTimerSet = false
      let bits = magic_bits_load(word)
      magic_bits_store(word, bits &+ Self.turnStep)
      return bits & ~Self.pauseBit
    }
    if endIdle(exceptIn: ended) { setTimer() }
  }
}
