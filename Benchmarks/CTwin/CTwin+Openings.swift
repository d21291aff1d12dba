import CMagicSQLite
import Workloads

extension CTwin {
  /// Opens with the pragmas of the library.
  func openAndLookUp(_ people: [PlainPerson], times: Int) async throws -> Job {
    let path = String(cString: sqlite3_db_filename(database, "main")) + ".opened"
    let new = try CTwin.open(path: path, durability: .normal, isNew: true)
    try new.createTables()
    try new.insert(people)
    await new.close()
    return { run in
      var checksum = Checksum()
      for index in 0..<times {
        let start = run.begin()
        let twin = try CTwin.open(path: path, durability: .normal, isNew: false)
        checksum.add(try twin.lookUp([people[index % people.count].id], Run()))
        await twin.close()
        run.end(start)
      }
      return checksum
    }
  }
}
