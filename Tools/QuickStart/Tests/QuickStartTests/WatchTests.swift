import DebianPackages
import Foundation
import MagicData
import Testing

@testable import QuickStart

@Suite(.timeLimit(.minutes(5))) struct WatchTests {
  @Test func changesOfAnotherProcessAreReported() async throws {
    try await withDatabase { place in
      let watch = try WatchProcess(place.path)
      #expect(watch.readLine() == "Watching \(place.path), until Ctrl-C")
      #expect(watch.readLine() == "  packages    3")
      let magic = try await MagicData(path: place.path)
      try await magic.transaction { transaction in
        let a = try transaction.object(of: DebianPackage.self, primary: "a")
        a.isPinned = true
        a.installedSize = 2048
        try transaction.update(a)
        try transaction.sql("DELETE FROM DebianPackage WHERE id = 'b'").run()
        let d = DebianPackage()
        (d.id, d.name) = ("d", "d")
        try transaction.update(d)
      }
      #expect(watch.readLine() == "")
      #expect(watch.readLine()?.wholeMatch(of: /\d\d:\d\d:\d\d/) != nil)
      #expect(watch.readLine() == "  new         d")
      #expect(watch.readLine() == "  removed     b")
      #expect(
        watch.readLine() == "  changed     a: size from 1 KiB to 2.0 MiB, pinned from no to yes")

      // Changes of values that are not shown are not reported.
      try await magic.sql("UPDATE DebianPackage SET homepage = 'http://a'").run()
      try await magic.sql("UPDATE DebianPackage SET summary = 'three' WHERE id = 'c'").run()
      await magic.close()
      #expect(watch.readLine() == "")
      _ = watch.readLine()
      #expect(watch.readLine() == "  changed     c: summary from none to three")
      watch.interrupt()
      #expect(watch.readLine() == "")
      #expect(watch.readLine() == "No longer watching")
      #expect(watch.readLine() == nil)
      #expect(watch.status == 0)
    }
  }

  #if os(Linux)
    @Test func noThreadWakesMoreThanTwiceASecondWhileNothingChanges() async throws {
      try await withDatabase { place in
        let watch = try WatchProcess(place.path)
        _ = (watch.readLine(), watch.readLine())
        // Other processes use this machine too: one quiet interval is enough.
        var fewest = Int.max
        for _ in 0..<4 where fewest > 5 {
          let before = try watch.wakeUps()
          try await Task.sleep(for: .seconds(2.4))
          let after = try watch.wakeUps()
          fewest = min(fewest, after.map { $1 - before[$0, default: 0] }.max() ?? 0)
        }
        #expect(fewest <= 5)
      }
    }
  #endif

  @Test func itEndsWithItsInput() async throws {
    try await withDatabase { place in
      let watch = try WatchProcess(place.path)
      _ = (watch.readLine(), watch.readLine())
      watch.closeInput()
      #expect(watch.status == 0)
    }
  }

  @Test func itEndsWhenItsOutputIsClosed() async throws {
    try await withDatabase { place in
      let watch = try WatchProcess(place.path)
      _ = (watch.readLine(), watch.readLine())
      watch.closeOutput()
      #expect(watch.status == 0)
    }
  }

  @Test func theErrorNamesAMissingDatabaseWhichIsNotCreated() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    let watch = try WatchProcess(path)
    #expect(watch.status == 1)
    #expect(
      watch.errors == "Error: there is no database at \(path); --database \(path) creates one\n")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func itRefusesOtherArguments() throws {
    #expect(try WatchProcess("a", "--needs", "b").status == 64)
  }

  @Test func differencesAreInTheOrderOfIds() {
    func packages(_ ids: [String], _ isPinned: Bool) -> WatchedPackages {
      WatchedPackages(ids.map { ($0, nil, nil, nil, "", isPinned) })
    }
    let differences = packages(["e", "d", "c", "b"], true)
      .differences(from: packages(["y", "b", "x", "c"], false))
    #expect(differences.new == ["d", "e"])
    #expect(differences.removed == ["x", "y"])
    #expect(differences.changed.map(\.id) == ["b", "c"])
    #expect(differences.changed[0].fields == [.init(name: "pinned", old: "no", new: "yes")])
    #expect(packages(["a"], true).differences(from: packages(["a"], true)).isEmpty)
  }

  private func withDatabase(_ body: (DatabasePlace) async throws -> Void) async throws {
    let place = try DatabasePlace(path: nil)
    defer { place.clean() }
    let file = place.path + ".txt"
    let text = "Package: a\nInstalled-Size: 1\n\nPackage: b\n\nPackage: c\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    let packages = try PackageFile(path: file)
    _ = try await place.open { try await PackageImport(packages, into: $0) }
    try await body(place)
  }
}

/// The command while it watches a database.
private final class WatchProcess {
  private let process = Process()
  private let (input, output, error) = (Pipe(), Pipe(), Pipe())

  init(_ path: String, _ others: String...) throws {
    // Built into the directory that the tests are built into.
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("quick-start")
    process.arguments = ["--watch", path] + others
    process.standardInput = input
    process.standardOutput = output
    process.standardError = error
    try process.run()
  }

  /// Nil at the end.
  func readLine() -> String? {
    var line = Data()
    while true {
      let byte = output.fileHandleForReading.readData(ofLength: 1)
      if byte.isEmpty { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      if byte == Data("\n".utf8) { return String(decoding: line, as: UTF8.self) }
      line += byte
    }
  }

  func interrupt() { process.interrupt() }

  func closeInput() { try? input.fileHandleForWriting.close() }

  func closeOutput() { try? output.fileHandleForReading.close() }

  #if os(Linux)
    /// How often each of its threads has waited.
    func wakeUps() throws -> [String: Int] {
      let tasks = "/proc/\(process.processIdentifier)/task"
      var counts: [String: Int] = [:]
      for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
        // A thread that has ended meanwhile has no status.
        let status = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
        let line = status?.split(separator: "\n")
          .first { $0.hasPrefix("voluntary_ctxt_switches") }
        counts[task] = line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
      }
      return counts
    }
  #endif

  /// Waits for the end.
  var status: Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  var errors: String {
    String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
}
