import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// In the child of a fork, a database of the parent refuses every call, and its streams end.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ForkedDatabaseTests {
  private let scratch = Scratch()

  private struct Album: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var cover: MagicAsset<Data> = .init()
    @MagicValue var notes: AsyncMagical<[Note]> = .init(value: [])

    init() {}
    init(_ name: String, _ cover: MagicAsset<Data> = .init()) {
      self.name = name
      self.cover = cover
    }
  }

  /// Runs tasks on the calling thread: the child has no other.
  private final class OneThread: TaskExecutor {
    private let lock = NSLock()
    private nonisolated(unsafe) var jobs: [UnownedJob] = []

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      lock.withLock { jobs.append(job) }
    }

    /// The result of a task; nil if the task waits.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value? {
      let result = Result<Value>()
      _ = Task(executorPreference: self) { result.value = await body() }
      while let job = lock.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
      return result.value
    }

    private final class Result<Value>: @unchecked Sendable { var value: Value? }
  }

  private static func code(_ call: () async throws -> Void) async -> String {
    do {
      try await call()
      return "none"
    } catch {
      return (error as? MagicError)?.code.description ?? "\(error)"
    }
  }

  @Test func everyCallIsRefusedAndEveryStreamEnds() async throws {
    let magic = try await MagicData(path: scratch.file())
    let note = Note("one")
    let album = Album("album", .init(value: Data("cover".utf8)))
    album.notes.set([note])
    try await magic.update(album)
    let fetched = try await magic.object(of: Album.self, primary: "album")
    let changes = magic.changes(of: Note.self)
    let values = magic.query(Note.self).values()
    let stream = magic.query(Note.self).stream()
    let calls: [(String, @Sendable () async throws -> Void)] = [
      ("update", { try await magic.update(Note("child")) }),
      ("remove", { try await magic.remove(album) }),
      ("object", { _ = try await magic.object(of: Note.self) as [Note] }),
      ("count", { _ = try await magic.query(Note.self).count() }),
      ("read", { try await magic.read { _ in } }),
      ("transaction", { try await magic.transaction { _ in } }),
      ("sql", { _ = try await magic.sql("SELECT 1").value(Int.self) }),
      ("verify", { _ = try await magic.verify() }),
      ("backup", { try await magic.backup(to: scratch.file("copy.sqlite3")) }),
      ("migrate", { try await magic.migrate(Note.self) }),
      ("lazy value", { _ = try await fetched.notes.get() }),
      ("asset", { _ = try fetched.cover.load() }),
      ("stream", { for try await _ in stream {} }),
      ("values", { for try await _ in values {} }),
      ("opening", { _ = try await MagicData(path: scratch.file()) }),
    ]
    let executor = OneThread()
    let child = try ForkedChild { found in
      for (name, call) in calls {
        let code = executor.run { await Self.code(call) }
        found.expect(code == "forked", "\(name): \(code ?? "waits")")
      }
      let count = executor.run {
        var count = 0
        for await _ in changes { count += 1 }
        for await _ in magic.changes(of: Note.self) { count += 1 }
        return count
      }
      found.expect(count == 0, "the changes do not end")
      found.expect(executor.run { await magic.close() } != nil, "closing waits")
      found.expect(executor.run { await magic.suspend() } != nil, "suspending waits")
    }
    #expect(child.findings == [])
    #expect(child.status == 0)
    try await magic.update(Note("two"))
    #expect(try await fetched.notes.get().count == 1)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func unsavedFilesAreNotRemovedByTheChild() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(Album("first", .init(value: Data("first".utf8))))
    let source = URL(fileURLWithPath: scratch.file("source.bin"))
    try Data("streamed".utf8).write(to: source)
    var streamed: MagicAsset<Data>? = try await magic.asset(contentsOf: source)
    let locks = try FileLocks.under(scratch.path)
    #expect(locks.contains { $0.hasPrefix("FLOCK") })
    let names = scratch.names
    let executor = OneThread()
    let child = try ForkedChild { found in
      // The last owner of the file releases it.
      streamed = nil
      let code = executor.run {
        await Self.code { let _: MagicAsset<Data> = try await magic.asset(contentsOf: source) }
      }
      found.expect(code == "forked", "an asset is made: \(code ?? "waits")")
      found.expect(scratch.names == names, "the files are others")
    }
    #expect(child.findings == [])
    #expect(child.status == 0)
    #expect(scratch.names == names)
    #expect(try FileLocks.under(scratch.path) == locks)
    try await magic.update(Album("second", try #require(streamed)))
    let second = try await magic.object(of: Album.self, primary: "second")
    #expect(try second.cover.load() == Data("streamed".utf8))
    #expect(try await magic.verify().findings.isEmpty)
  }
}
