import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import SQLiteStore
import Testing

/// Observers of a database whose free pages are returned.
@Suite(.timeLimit(.minutes(5))) struct CompactionTests {
  @Test(arguments: [false, true])
  func aCompactionIsNoChange(isEarlier: Bool) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("notes.sqlite3").path
    if isEarlier { try SQLiteConnection(path: path).execute("PRAGMA auto_vacuum = NONE; VACUUM") }
    var options = MagicOptions(durability: .normal)
    options.minimumFreeSpace = 0
    let magic = try await MagicData(path: path, options: options)
    let notes = (0..<300).map { OutNote("\($0) \(String(repeating: "x", count: 900))") }
    try await magic.update(contentsOf: notes)
    let stream = magic.changes(of: OutNote.self)
    try await magic.remove(contentsOf: Array(notes.prefix(200)))
    try await magic.compact()
    try await magic.remove(contentsOf: Array(notes[200..<250]))
    try await magic.compact()
    try await magic.update(notes[299])
    await magic.close()
    var counts: [Int] = []
    for await change in stream {
      #expect(change.origin != .external)
      counts.append(change.deleted.count)
    }
    #expect(counts.reduce(0, +) == 250)
  }
}
