import Foundation
import MagicCommand
import MagicSQLite
import Testing
import ToolTestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Each command that only looks, on a file of each format and on files of unknown origin.
@Suite struct EveryCommandTests {
  /// The commands, with `FILE` for the path, `COPY` for one that does not exist, and `TYPE` for a type.
  static let commands: [[String]] =
    [
      ["inspect"], ["inspect", "--json"], ["inspect", "TYPE"], ["inspect", "TYPE", "--json"],
      ["schema"], ["schema", "--mermaid"], ["schema", "--svg"], ["schema", "--sql"],
      ["schema", "--swift"],
      ["query", "SELECT * FROM sqlite_schema"], ["query", "SELECT * FROM sqlite_schema", "--json"],
      ["query", "SELECT * FROM sqlite_schema", "--ndjson"],
      ["query", "SELECT * FROM sqlite_schema", "--csv"],
      ["query", "SELECT * FROM sqlite_schema", "--explain"],
      ["show", "TYPE", "#1"], ["show", "TYPE", "#1", "--json", "--depth", "3"],
      ["verify"], ["verify", "--json"], ["doctor"], ["doctor", "--json"],
      ["watch", "--count", "0"],
      ["backup", "COPY"],
    ]
    + [
      "/", "/types.json", "/types.csv", "/type/TYPE", "/type/TYPE.json", "/type/TYPE.csv",
      "/type/TYPE?facets=1", "/type/TYPE/1", "/type/TYPE/1.json", "/schema", "/sql",
      "/sql?sql=SELECT+1", "/sql.csv?sql=SELECT+1",
    ].map { ["serve", "--get", $0] }

  /// Runs all commands, each with the path after its name. None of them changes the file.
  private func runs(
    _ path: String, type: String = "Item", width: Int? = nil
  ) async -> [(name: String, run: Run)] {
    var runs: [(String, Run)] = []
    let before = content(path)
    for command in Self.commands {
      let rest = command.dropFirst().map {
        $0 == "COPY" ? path + ".copy" : $0.replacing("TYPE", with: type)
      }
      let name = command.joined(separator: " ")
      runs.append((name, await magic([command[0], path] + rest, width: width)))
      #expect(content(path) == before, "\(name)")
    }
    return runs
  }

  /// The content of a file, its log, and the names of its assets.
  private func content(_ path: String) -> [Data] {
    let files = FileManager.default
    var status = stat()
    // Reading a pipe would wait for a writer.
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { return [] }
    // Besides the assets there can be a file that is locked.
    let assets = files.subpaths(atPath: path + "-assets")?.filter { $0.contains("-") } ?? []
    return [
      files.contents(atPath: path) ?? Data(), files.contents(atPath: path + "-wal") ?? Data(),
      Data(assets.sorted().joined(separator: "\n").utf8),
    ]
  }

  @Test(arguments: Fixture.allCases)
  func filesOfEachFormatAreReadByEachCommandAndNotChanged(_ fixture: Fixture) async throws {
    try await withDirectory { directory in
      let path = try fixture.copy(to: directory)
      for (name, run) in await runs(path, type: "Person") {
        #expect(run.status == 0, "\(name): \(run.messages)")
        #expect(
          name.hasPrefix("backup") || !run.output.isEmpty || name.hasPrefix("watch"), "\(name)")
      }
      #expect(await magic("verify", path + ".copy").output == "No faults.\n")
    }
  }

  @Test(arguments: Fixture.allCases)
  func filesOfEachFormatAreCompactedAndRestored(_ fixture: Fixture) async throws {
    try await withDirectory { directory in
      let path = try fixture.copy(to: directory)
      let copy = directory.appendingPathComponent("copy.sqlite3").path
      let rows = await rows(path)
      #expect(await magic("backup", path, copy).status == 0)
      #expect(await magic("compact", path).status == 0)
      #expect(await magic("verify", path).status == 0)
      #expect(await self.rows(path) == rows)
      #expect(await magic("restore", copy, path).status == 0)
      #expect(await magic("verify", path).status == 0)
      #expect(await self.rows(path) == rows)
    }
  }

  private func rows(_ path: String) async -> [String] {
    var rows: [String] = []
    for table in ["Person", "Home", "Ticket", "\"Photo 'album'\""] {
      let sql = "SELECT * FROM \(table) ORDER BY z_index"
      rows.append(await magic("query", path, sql, "--csv").output)
    }
    return rows
  }

  /// The file is as a process leaves it that was killed: its last commits are in the log only.
  @Test func commitsInTheLogAreReadAndTheLogIsNotChanged() async throws {
    try await withDirectory { directory in
      let original = try Fixture.columns.copy(to: directory)
      let connection = try SQLiteConnection(path: original)
      try connection.execute("UPDATE Person SET name = 'in the log'")
      let path = directory.appendingPathComponent("killed.sqlite3").path
      for suffix in ["", "-wal", "-assets"] {
        try FileManager.default.copyItem(atPath: original + suffix, toPath: path + suffix)
      }
      connection.close()
      #expect(content(path)[1].count > 4_096)
      for (name, run) in await runs(path, type: "Person") {
        #expect(run.status == 0, "\(name): \(run.messages)")
      }
      #expect(await magic("show", path, "Person", "#1").output.contains("in the log"))
    }
  }

  @Test func linksAreReadAsTheirFile() async throws {
    try await withDirectory { directory in
      let path = try Fixture.assets.copy(to: directory)
      let link = directory.appendingPathComponent("other/link.sqlite3").path
      try FileManager.default.createDirectory(
        atPath: directory.path + "/other", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      for command in Self.commands where command[0] != "backup" {
        let rest = command.dropFirst().map { $0.replacing("TYPE", with: "Person") }
        let direct = await magic([command[0], path] + rest)
        let linked = await magic([command[0], link] + rest)
        #expect(linked.status == 0, "\(command): \(linked.messages)")
        // Titles of pages have the name that the user has given.
        guard command[0] != "serve" else { continue }
        #expect(linked.output == direct.output, "\(command)")
      }
    }
  }

  // MARK: Hostile files

  /// What a path can be that is not a database, and the number with which all commands end.
  enum NoDatabase: String, CaseIterable, Sendable {
    case text, empty, header, random, missing, logAlone, directory, circle, pipe, linkToPipe
    case newer, cut

    var status: Int32 { self == .newer || self == .cut ? 3 : 2 }

    var message: String {
      switch self {
      case .text, .header, .random: "not an SQLite database"
      case .empty: "is empty"
      case .missing, .circle: "no such file"
      case .logAlone: "its write-ahead log exists"
      case .directory: "contains no file default.sqlite3"
      case .pipe, .linkToPipe: "a device or a pipe"
      case .newer: "format 99"
      case .cut: "damaged"
      }
    }

    func create(_ path: String) throws {
      let (files, url) = (FileManager.default, URL(fileURLWithPath: path))
      switch self {
      case .missing: break
      case .text: try Data("A letter, and no database.\n".utf8).write(to: url)
      case .empty: try Data().write(to: url)
      case .header: try (Data("SQLite format 3\0".utf8) + Data(count: 8_000)).write(to: url)
      case .random: try Data((0..<9_000).map { UInt8(truncatingIfNeeded: $0 * $0) }).write(to: url)
      case .logAlone: try Data("log".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
      case .directory: try files.createDirectory(at: url, withIntermediateDirectories: false)
      case .circle: try files.createSymbolicLink(atPath: path, withDestinationPath: path)
      case .pipe: try #require(mkfifo(path, 0o600) == 0)
      case .linkToPipe:
        try #require(mkfifo(path + "-pipe", 0o600) == 0)
        try files.createSymbolicLink(atPath: path, withDestinationPath: path + "-pipe")
      case .newer, .cut:
        try Fixture.columns.withCopy { copy in
          let connection = try SQLiteConnection(path: copy)
          if self == .newer { try connection.execute("UPDATE magic_format SET version = 99") }
          connection.close()
          let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
          try bytes.prefix(self == .cut ? 5_000 : bytes.count).write(to: url)
        }
      }
    }
  }

  @Test(arguments: NoDatabase.allCases)
  func whatIsNoDatabaseIsRefusedByEachCommand(_ kind: NoDatabase) async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("file.sqlite3").path
      try kind.create(path)
      var all = await runs(path)
      all.append(("compact", await magic("compact", path)))
      all.append(("serve --write", await magic("serve", path, "--write")))
      for (name, run) in all {
        #expect(run.status == kind.status, "\(name)")
        #expect(run.messages.contains(kind.message), "\(name): \(run.messages)")
        #expect(run.output.isEmpty, "\(name)")
      }
    }
  }

  @Test func unreadableFilesAreRefused() async throws {
    // The superuser reads every file.
    guard getuid() != 0 else { return }
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      #expect(chmod(path, 0) == 0)
      for (name, run) in await runs(path) { #expect(run.status == 2, "\(name): \(run.messages)") }
    }
  }

  /// A database of another program has tables and no types.
  @Test func filesOfOtherProgramsHaveNoTypes() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("other.sqlite3").path
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        "CREATE TABLE Item (name); INSERT INTO Item VALUES ('a'); CREATE VIEW v AS SELECT * FROM Item"
      )
      connection.close()
      for (name, run) in await runs(path) {
        let command = name.split(separator: " ")[0]
        let needsTypes = name.contains("TYPE")
        let needsFormat = ["verify", "doctor", "backup"].contains(command)
        #expect(
          run.status == (needsTypes ? 4 : needsFormat ? 2 : 0), "\(name): \(run.messages)")
      }
    }
  }

  /// Names and values that would be markup, commands of a terminal, or the end of a text, and a cell of
  /// 1 MB.
  @Test(arguments: [nil, 80]) func hostileNamesAndValuesAreShown(_ width: Int?) async throws {
    try await withDirectory { directory in
      let path =
        directory.appendingPathComponent("'\"<script>\u{202E}\u{1B}[2J\n.sqlite3").path
      try Hostile.create(path)
      for (name, run) in await runs(path, width: width) {
        // The checks find that the types are not those that the library creates.
        #expect(run.status == 0 || run.status == 1, "\(name): \(run.messages)")
        #expect(run.output.utf8.count < 4 << 20, "\(name)")
        guard width != nil else { continue }
        for text in [run.output, run.messages] {
          let hostile = text.unicodeScalars.first {
            $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\0" || $0 == "\u{7}"
          }
          #expect(hostile == nil, "\(name)")
        }
      }
    }
  }
}
