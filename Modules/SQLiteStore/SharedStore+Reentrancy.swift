import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteMaintenance

extension SharedStore: ReentrancyGuard {
  /// Runs a body that may call the user's code, while this thread has a connection of the database.
  /// The body must not suspend. An error that reports damage is recorded.
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

  /// Records that the file is damaged, if an error reports that.
  func noteDamage(_ error: any Error) {
    let cause = error as? SQLiteError ?? (error as? MagicError)?.cause as? SQLiteError
    // Damage in the content of a virtual table concerns only its module.
    guard let cause, cause.code == .corrupt, cause.extendedCode >> 8 != 1 else { return }
    lifecycle.noteDamage()
  }
}
