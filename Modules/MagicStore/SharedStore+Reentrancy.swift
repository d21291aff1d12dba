import CMagicRuntime
import MagicRuntime
import MagicSQLite
package import MagicSchema
import SQLiteEngine
import SQLiteMaintenance
import SQLiteTables

extension SharedStore: ReentrancyGuard {
  /// Runs a body that may call the user's code, with a connection of the store that this thread has. The
  /// body stays on its thread: it does not suspend. An error that tells of damage is noted.
  package func withReentrancyGuard<Result>(_ body: () throws -> Result) rethrows -> Result {
    let innermost = magic_thread_holding()
    var holding = magic_holding(store: address, outer: innermost.pointee)
    return try withUnsafeMutablePointer(to: &holding) { holding in
      innermost.pointee = holding
      defer { innermost.pointee = holding.pointee.outer }
      do {
        return try body()
      } catch {
        noteDamage(error)
        throw error
      }
    }
  }

  /// Threads that block for a second connection while they have one could wait for each other, for
  /// ever; so none does, however many are free.
  ///
  /// - Throws: `MagicError` with `.nestedCall` where this thread has a connection of the store
  ///   already: a closure or a conversion of the user's called the store that called it;
  ///   `.changeInProgress` inside an in-place change that holds the lock of a property.
  func checkNotReentrant() throws {
    try OwnChanges.refuseToWait()
    var next = magic_thread_holding().pointee
    while let holding = next {
      guard holding.pointee.store != address else {
        throw MagicError(.nestedCall, "The store was called from inside one of its own calls.")
      }
      next = holding.pointee.outer
    }
  }

  /// The store that this thread reads from or writes to now; nil where it does neither.
  package static var atHand: StoreToken? {
    magic_thread_holding().pointee.flatMap { DatabaseRegistry.shared.token(at: $0.pointee.store) }
  }

  private var address: UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
  }

  /// Records that the file is damaged, where an error says so.
  func noteDamage(_ error: any Error) {
    let cause = error as? SQLiteError ?? (error as? MagicError)?.cause as? SQLiteError
    // The content of a virtual table is its module's business.
    guard let cause, cause.code == .corrupt, cause.extendedCode >> 8 != 1 else { return }
    lifecycle.noteDamage()
  }
}
