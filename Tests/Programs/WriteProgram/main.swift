import Foundation
import MagicSQLite

// Another process that uses a database: runs each line of SQL that it reads, and writes a result line.

alarm(60)

func answer(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

do {
  let connection = try SQLiteConnection(path: CommandLine.arguments[1])
  answer("open")
  while let line = readLine() {
    do {
      try connection.execute(line)
      answer("done")
    } catch {
      answer("failed: \(error)")
    }
  }
  connection.close()
} catch {
  answer("failed: \(error)")
  exit(1)
}
