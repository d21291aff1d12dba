import Foundation
import Testing

/// A line that the reader prints: a value of an object.
struct ReaderLine: Hashable, Decodable {
  let table: String
  let row: Int64
  let type: String
  let property: String
  let form: String
  var value: JSON

  /// The line with the elements of a JSON array in an order that only they determine.
  var unordered: ReaderLine {
    var line = self
    line.value = value.unordered
    return line
  }
}

/// A line about a row of a search index, with its words by the kinds and names of their properties, or
/// about a row in its log.
struct ReaderSearchLine: Hashable, Decodable {
  let table: String
  let type: String
  let row: Int64
  var words: [String: [String]]?
  var isIndexed: Bool?
  var old: [String: String?]?
}

/// Runs `Tests/FormatReader/read.py`, which reads databases as `Format.md` describes them.
enum FormatReader {
  static let hasPython: Bool = python != nil

  private static let python = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/python3" }
    .first(where: FileManager.default.isExecutableFile)

  private static let program =
    #filePath.components(separatedBy: "/Tests/")[0] + "/Tests/FormatReader/read.py"

  struct Output {
    let status: Int32
    let lines: Data
    let errors: String
  }

  static func run(_ file: URL, _ options: [String] = []) throws -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(python))
    process.arguments = [program] + options + [file.path]
    // Python needs its own SQLite, also if `ci/sqlites` runs the tests with another one.
    process.environment = ProcessInfo.processInfo.environment.filter {
      $0.key != "LD_LIBRARY_PATH"
    }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // The errors are one line at most, so that they cannot fill their pipe.
    let lines = output.fileHandleForReading.readDataToEndOfFile()
    let message = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Output(
      status: process.terminationStatus, lines: lines,
      errors: String(decoding: message, as: UTF8.self))
  }

  /// Returns the values of all objects.
  static func lines(of file: URL) throws -> [ReaderLine] { try decoded(file, []) }

  /// Returns the rows of all search indexes, and those in their logs.
  static func searchLines(of file: URL) throws -> [ReaderSearchLine] {
    try decoded(file, ["--search"])
  }

  private static func decoded<Line: Decodable>(
    _ file: URL, _ options: [String]
  ) throws -> [Line] {
    let output = try run(file, options)
    #expect(output.errors.isEmpty && output.status == 0, "\(output.errors)")
    let decoder = JSONDecoder()
    return try output.lines.split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(Line.self, from: Data($0))
    }
  }
}
