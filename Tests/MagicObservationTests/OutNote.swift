import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

struct OutNote: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var text: String = ""
  @MagicValue var rank: Int = 0

  init() {}

  init(_ text: String, rank: Int = 0) {
    self.text = text
    self.rank = rank
  }
}

/// A database in its own directory, with one note.
struct OutDatabase {
  let directory: TemporaryDirectory
  let path: String
  let magic: MagicData
  let note: OutNote

  init(_ options: MagicOptions = .init(durability: .normal)) async throws {
    directory = try TemporaryDirectory()
    path = directory.file("notes.sqlite3").path
    magic = try await MagicData.onTestedEngine(path: path, options: options)
    note = OutNote("first")
    try await magic.update(note)
  }

  /// Another handle.
  func open(readOnly: Bool = false) async throws -> MagicData {
    try await MagicData.onTestedEngine(
      path: path, options: .init(readOnly: readOnly, durability: .normal))
  }
}

/// Another process that runs SQL on a database.
final class OtherProcess {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()

  init(_ path: String) throws {
    // Built into the directory that the tests are built into.
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("WriteProgram")
    process.arguments = [path]
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    try #require(readLine() == "open")
  }

  /// Returns when it has run.
  func run(_ sql: String) throws {
    input.fileHandleForWriting.write(Data((sql + "\n").utf8))
    try #require(readLine() == "done")
  }

  private func readLine() -> String {
    var line = Data()
    while true {
      let byte = output.fileHandleForReading.readData(ofLength: 1)
      if byte.isEmpty || byte == Data("\n".utf8) { return String(decoding: line, as: UTF8.self) }
      line += byte
    }
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  deinit { end() }
}
