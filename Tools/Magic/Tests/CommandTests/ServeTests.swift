import Foundation
import MagicCommand
import MagicData
import Testing
import ToolTestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ServeTests {
  @Test func onePageIsWritten() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let page = await magic("serve", path, "--get", "/types.json")
      #expect(page.status == 0)
      let types = try #require(try page.json() as? [String: Any])
      #expect((types["rows"] as? [Any])?.count == 18)
      let html = await magic("serve", path, "--get", "/type/Person")
      #expect(html.output.hasPrefix("<!doctype html>"))
    }
  }

  @Test func missingFilesAndPagesHaveTheirNumbers() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      #expect(await magic("serve", path + "-nothing").status == 2)
      #expect(await magic("serve", path, "--get", "/nothing").status == 4)
      #expect(await magic("serve", path, "--get", "nothing").status == 64)
      #expect(await magic("serve", path, "--port", "99999").status == 64)
    }
  }

  @Test func addressIsWrittenUntilTheCommandIsCancelled() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let command = Task { await magic("serve", path) }
      try await Task.sleep(for: .seconds(1))
      command.cancel()
      let run = await command.value
      #expect(run.output.hasPrefix("http://127.0.0.1:"))
      #expect(run.messages.contains("Ctrl-C ends the command."))
    }
  }

  /// Starts a command, and calls the body with its address.
  private func serving(
    _ arguments: [String],
    run: @escaping @Sendable ([String], Output) async -> Int32 = {
      await PlainTool.run($0, output: $1)
    }, _ body: (URL) async throws -> Void
  ) async throws {
    let output = Collector()
    let command = Task {
      await run(
        arguments,
        Output(
          width: nil, hasColours: false, write: { output.add($0) }, writeMessage: { _ in }))
    }
    let end = ContinuousClock.now.advanced(by: .seconds(300))
    while output.text.isEmpty, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(10))
    }
    let line = output.text.split(separator: "\n").first.map(String.init)
    try await body(try #require(line.flatMap(URL.init(string:))))
    command.cancel()
    _ = await command.value
  }

  private func page(_ address: URL, _ path: String) async throws -> String {
    let url = try #require(URL(string: path + "?" + (address.query ?? ""), relativeTo: address))
    let (data, _) = try await URLSession(configuration: .ephemeral).data(from: url)
    return String(decoding: data, as: UTF8.self)
  }

  @Test func writingIsOffered() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("notes.sqlite3").path
      let magic = try await MagicData(path: path)
      let note = Note()
      note.text = "first"
      let row = try await magic.update(note).rawValue
      await magic.close()
      try await serving(["serve", path]) { address in
        let text = try await page(address, "/type/Note/\(row)")
        #expect(text.contains("first"))
        #expect(!text.contains("/delete"))
      }
      try await serving(["serve", path, "--write"]) { address in
        let text = try await page(address, "/type/Note/\(row)")
        #expect(text.contains("/type/Note/\(row)/delete"))
        #expect(text.contains("/type/Note/\(row)/edit"))
        let form = try await page(address, "/type/Note/\(row)/edit")
        #expect(form.contains("does not have the Swift type"))
      }
      let tool: @Sendable ([String], Output) async -> Int32 = {
        await NoteTool.run($0, output: $1)
      }
      try await serving(["serve", path, "--write"], run: tool) { address async throws in
        #expect(try await page(address, "/type/Note/\(row)").contains("/type/Note/\(row)/edit"))
        #expect(try await page(address, "/type/Note/new").contains("name=\"value.text\""))
      }
      // The database is closed when the command has ended.
      let again = try await MagicData(path: path)
      #expect(try await again.query(Note.self).count() == 1)
      await again.close()
    }
  }

  @Test func addressIsNoArgumentOfAProcess() async throws {
    let folder = FileManager.default.temporaryDirectory
    func pages() throws -> [URL] {
      // By names: the list of the URLs fails if another test removes a directory meanwhile.
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .map { folder.appendingPathComponent("\($0)/open.html") }
        .filter { (try? String(contentsOf: $0, encoding: .utf8).contains("http-equiv")) == true }
    }
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let before = Set(try pages())
      try await serving(["serve", path, "--open"]) { address in
        let created = try pages().filter { !before.contains($0) }
        // The pages of other tests can disappear meanwhile.
        let file = try #require(
          created.first {
            (try? String(contentsOf: $0, encoding: .utf8))?.contains(address.query ?? "?") ?? false
          })
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let parent = try FileManager.default.attributesOfItem(
          atPath: file.deletingLastPathComponent().path)
        #expect((parent[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        #if os(Linux)
          let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
          for process in processes where Int(process) != nil {
            let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            #expect(line.firstRange(of: Data((address.query ?? "?").utf8)) == nil)
          }
        #endif
      }
      #expect(Set(try pages()).subtracting(before).isEmpty)
    }
  }
}

private struct Note: MagicObject {
  @MagicValue var text: String = ""
  init() {}
}

private enum NoteTool: MagicTool {
  static let types: [any MagicObject.Type] = [Note.self]
}
