import CMagicSQLite
import Workloads

/// Streams of rows, of which none is kept.
extension CTwin {
  func streamAll() throws -> Checksum {
    let statement = try prepare(
      "SELECT z_index, id, name, age, height, nickname, photo FROM person ORDER BY z_index")
    defer { sqlite3_finalize(statement) }
    var checksum = Checksum()
    while try step(statement) {
      checksum.add(person(statement))
    }
    return checksum
  }
}
