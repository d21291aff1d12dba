import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteMaintenance

extension SharedStore: ReentrancyGuard {
  /// Runs a body that may call the user's code, with a connection of the store that this thread has. The
  /// body stays on its thread: it does not suspend. An error that tells of damage is noted.
  package func withReentrancyGuard<Result>(_ body: () throws -> Result) rethrows -> Result {
    try markingCall {
      do {
        return try body()
      } catch {
        noteDamage(error)
        throw error
      }
    }
  }

  /// Records that the file is damaged, where an error says so.
  func noteDamage(_ error: any Error) {
    let cause = error as? SQLiteError ?? (error as? MagicError)?.cause as? SQLiteError
    // The content of a virtual table is its module's business.
    guard let cause, cause.code == .corrupt, cause.extendedCode >> 8 != 1 else { return }
    lifecycle.noteDamage()
  }
}
