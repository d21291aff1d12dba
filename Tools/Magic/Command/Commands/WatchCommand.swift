import ArgumentParser
import Foundation
import MagicInspection
import MagicServerInspection

/// `magic watch`: what commits change.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Report what commits change, until Ctrl-C.",
    discussion: """
      Commits of all programs are reported within 0.3 seconds; commits that follow each other faster \
      are reported as one. Of types with more than 100,000 objects, only the number of objects is \
      reported, and changes of collections are not. Of a database of PostgreSQL, they are reported within a second, or later if comparing the \
      objects takes longer.
      """)

  @OptionGroup var database: DatabaseArgument
  @Argument(help: "The name of the only type to watch.") var type: String?
  @Option(help: "The number of reports after which the command ends.") var count: Int?
  @Flag(help: "Write JSON: one object a line for each change.") var json = false

  func run() async throws {
    guard !database.isOnServer else {
      return try await database.opening(reconnectTimeout: 120) { magic in
        // Comparing takes at most a fifth of the time of the server.
        try await report(ServerPool(magic), every: .milliseconds(500), pause: 4)
      }
    }
    // Names a directory without a database better than the pool does.
    try database.file.reader().close()
    let pool = try InspectionPool(path: database.file.path, readers: 1)
    do {
      try await report(pool, every: .milliseconds(200), pause: 0)
      await pool.close()
    } catch {
      await pool.close()
      throw error
    }
  }

  /// Reports changes until the command ends.
  ///
  /// - Parameter pause: how many times as long as the last comparison the next one is delayed.
  private func report(
    _ pool: some DatabasePool, every interval: Duration, pause: Int
  ) async throws {
    let commits = pool.makeCommitCounter()
    do {
      try await report(pool, commits, every: interval, pause: pause)
      await commits.close()
    } catch {
      await commits.close()
      throw error
    }
  }

  private func report(
    _ pool: some DatabasePool, _ commits: any CommitCounter, every interval: Duration, pause: Int
  ) async throws {
    var watch = ChangeWatch()
    var last = try await commits.next()
    _ = try await Self.changes(of: type, &watch, pool)
    Output.current.message("Watching. Ctrl-C ends the command.")
    var (reports, duration) = (0, Duration.zero)
    while count.map({ reports < $0 }) ?? true {
      try await Task.sleep(for: max(interval, duration * pause))
      let counter = try await commits.next()
      guard counter != last else { continue }
      last = counter
      let start = ContinuousClock.now
      let changes = try await Self.changes(of: type, &watch, pool)
      duration = start.duration(to: .now)
      guard !changes.isEmpty else { continue }
      reports += 1
      write(changes)
    }
  }

  /// The time for comparing all objects.
  private static let timeLimit = Duration.seconds(600)

  private static func changes(
    of type: String?, _ watch: inout ChangeWatch, _ pool: some DatabasePool
  ) async throws -> [ChangeWatch.Change] {
    let before = watch
    // Later changes of the types are found, so the name is looked up each time.
    let (changes, after) = try await pool.read(within: timeLimit) { reader in
      var watch = before
      let changes = try watch.changes(of: type, reader)
      return (changes, watch)
    }
    watch = after
    return changes
  }

  private func write(_ changes: [ChangeWatch.Change]) {
    let output = Output.current
    let time = Date().formatted(.iso8601)
    if json {
      for change in changes {
        output.line(JSONNode.object([.init("time", .string(time))] + change.json).text())
      }
      return
    }
    output.line(output.bold(time))
    for change in changes.prefix(100) {
      let text = "  " + change.text
      output.line(output.width.map { text.shortened(to: $0) } ?? text)
    }
    if changes.count > 100 { output.line("  … and \((changes.count - 100).grouped) more changes") }
  }
}
