import SQLiteTables

/// A search index, with the SQL that commits and searches run. The texts are made once, because each
/// commit needs them.
struct SearchIndex {
  let table: SearchTable
  let hasLogged: String
  let logged: String
  let deleteLogged: String
  let insertLogged: String
  let clearLog: String

  init(_ table: SearchTable) {
    self.table = table
    hasLogged = table.hasLogged
    logged = table.logged
    deleteLogged = table.deleteLogged
    insertLogged = table.insertLogged
    clearLog = table.clearLog
  }
}
