import Foundation
import Testing
import ToolTestSupport

/// Results fit the terminal.
@Suite struct WidthTests {
  @Test(arguments: [60, 80, 160]) func linesFitTheTerminal(_ width: Int) async throws {
    try await withDirectory { directory in
      // A long path is not shortened, because a user copies it.
      let path = try Fixture.columns.copy(to: directory)
      let values = try Fixture.values.copy(to: directory)
      let commands = [
        ["inspect", path], ["inspect", path, "Person"], ["inspect", values],
        ["query", path, "SELECT * FROM Person"], ["query", path, "SELECT 1 AS one"],
        ["query", path, "SELECT hex(zeroblob(500)) AS long, 2 AS two"],
        ["show", path, "Person", "#1"], ["show", path, "Person", "#1", "--depth", "3"],
        ["query", path, "SELECT * FROM Person", "--explain"],
      ]
      for command in commands {
        let run = await magic(command, width: width)
        let name = command.filter { !$0.hasPrefix("/") }.joined(separator: " ")
        #expect(run.status == 0, "\(name): \(run.messages)")
        for line in run.lines where !line.contains(directory.path) {
          #expect(line.count <= width, "\(name): \(line)")
        }
      }
    }
  }

  /// The help has the width that ArgumentParser chooses; the manual and completions are files.
  @Test func manualNamesEachCommandAndOption() async throws {
    let manual = await magic("man")
    #expect(manual.status == 0)
    #expect(manual.output.hasPrefix(".TH"))
    for text in ["serve", "doctor", "restore", "watch", "\\-\\-write", "\\-\\-open"] {
      #expect(
        manual.output.contains(text) || manual.output.contains(text.replacing("\\", with: "")),
        "\(text)")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsKnowTheCommands(_ shell: String)
    async throws
  {
    let script = await magic("--generate-completion-script", shell)
    #expect(script.status == 0)
    for name in ["serve", "doctor", "inspect", "write"] {
      #expect(script.output.contains(name), "\(name)")
    }
  }
}
