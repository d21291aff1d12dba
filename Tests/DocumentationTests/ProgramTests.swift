import Foundation
import MagicTestSupport
import Testing

/// Programs that import only one module, written at the top level of a file, like the first lines
/// of a new user.
@Suite struct ProgramTests {
  @Test(arguments: [
    ("DatabaseProgram", "1 Ada\ntrue\n"),
    ("StoreProgram", "[\"hello\"]\n"),
    ("SQLiteProgram", "Ada\n"),
    ("ValueProgram", "1 novice\n"),
  ])
  func aProgramOfOneImportRuns(_ name: String, _ output: String) throws {
    let directory = try TemporaryDirectory()

    // Built into the directory that the tests are built into.
    let products = Bundle.main.bundleURL
    let program = Process()
    program.executableURL = products.appendingPathComponent(name)
    program.arguments = [directory.file("example.sqlite3").path]
    let pipe = Pipe()
    program.standardOutput = pipe
    try program.run()
    let printed = pipe.fileHandleForReading.readDataToEndOfFile()
    program.waitUntilExit()
    #expect(program.terminationStatus == 0)
    #expect(String(decoding: printed, as: UTF8.self) == output)
    withExtendedLifetime(directory) {}
  }
}
