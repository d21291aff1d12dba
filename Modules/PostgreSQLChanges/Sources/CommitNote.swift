import Foundation
import MagicRuntime

/// What a transaction of this library writes to the log or the outbox about itself.
struct CommitNote: Equatable {
  /// The process that has committed, if it publishes its commits, and the number of the commit.
  var process: String?
  var number: UInt64 = 0
  /// The tables whose schema the transaction has changed.
  var altered: [String] = []

  /// The prefix of the messages in the log.
  static let prefix = "magic"

  /// The identity of this process. A child process has another one than its parent.
  static var currentProcess: String {
    current.withLock { current in
      if current.origin.isForked { current = (ProcessOrigin(), UUID().uuidString) }
      return current.name
    }
  }

  private static let current = Mutex((origin: ProcessOrigin(), name: UUID().uuidString))
    .lockedDuringForks()

  init(process: String? = nil, number: UInt64 = 0, altered: [String] = []) {
    (self.process, self.number, self.altered) = (process, number, altered)
  }

  /// Parses the form that ``text`` has. Any other text is a note of nothing.
  init(_ bytes: UnsafeRawBufferPointer) {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 2, let number = UInt64(lines[1]) else { return }
    process = lines[0].isEmpty ? nil : String(lines[0])
    self.number = number
    altered = lines.dropFirst(2).map(String.init)
  }

  /// The process, the number and the tables, one in each line. Names of tables contain no line break.
  var text: String {
    ([process ?? "", "\(number)"] + altered.filter { !$0.contains("\n") }).joined(separator: "\n")
  }

  var isOfThisProcess: Bool { process == Self.currentProcess }
}

/// The notes of a transaction. A note of a process ends a write of the transaction: several writes may
/// share one, and each is an element for observers.
struct TransactionNotes {
  private var note = CommitNote()
  private var lastProcess: String?

  /// Whether there are altered tables that were not published.
  var isPending: Bool { !note.altered.isEmpty }

  /// Adds a note. Returns whether it ends a write.
  mutating func add(_ other: CommitNote) -> Bool {
    note.altered += other.altered
    guard let process = other.process else { return false }
    (note.process, note.number, lastProcess) = (process, other.number, process)
    return true
  }

  /// Returns the note of the write that has ended. What follows it in the transaction is of the same
  /// process.
  mutating func take() -> CommitNote {
    defer { note = CommitNote() }
    if note.process == nil { note.process = lastProcess }
    return note
  }
}
