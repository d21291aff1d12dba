import CMagicSQLite
import CTwinFiles
import Foundation
import Workloads

/// An export that reads every row, and writes its values as a line without the forms of JSON.
extension CTwin {
  private var exportPath: String {
    String(cString: sqlite3_db_filename(database, "main")) + ".lines"
  }

  func exportPeople() throws {
    let statement = try prepare(
      "SELECT z_index, id, name, age, height, nickname, photo FROM person ORDER BY z_index")
    defer { sqlite3_finalize(statement) }
    guard let file = fopen(exportPath, "w") else { throw Failure(code: errno, message: "fopen") }
    defer { fclose(file) }
    while try step(statement) {
      var person = twin_person(
        id: characters(statement, 1), name: characters(statement, 2),
        age: sqlite3_column_int64(statement, 3), height: sqlite3_column_double(statement, 4),
        nickname: characters(statement, 5),
        photo: sqlite3_column_blob(statement, 6)?.assumingMemoryBound(to: UInt8.self),
        photo_size: Int(sqlite3_column_bytes(statement, 6)))
      guard twin_write_line(file, &person) == 0 else {
        throw Failure(code: errno, message: "write")
      }
    }
    guard fflush(file) == 0, fsync(fileno(file)) == 0 else {
      throw Failure(code: errno, message: "sync")
    }
  }

  @inline(__always)
  private func characters(
    _ statement: OpaquePointer, _ index: Int32
  ) -> UnsafePointer<CChar>? {
    sqlite3_column_text(statement, index).map {
      UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)
    }
  }

  func sumUpExport() throws -> Checksum {
    let text = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: exportPath)), as: UTF8.self)
    var checksum = Checksum()
    for line in text.split(separator: "\n") {
      let values = line.split(separator: "\t")
      guard values.count == 6, let age = Int(values[2]), let height = Double(values[3]) else {
        throw Failure(code: 0, message: "a line of the export")
      }
      checksum.add(
        id: String(values[0]), name: String(values[1]), age: age, height: height,
        nickname: values[4] == "-" ? nil : String(values[4]),
        photo: Data(count: values[5].utf8.count / 2))
    }
    return checksum
  }
}
