import EngineConformance
import Foundation
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The size of the write-ahead log during reads.
@Suite(.timeLimit(.minutes(5))) struct LogSizeTests {
  let scratch = Scratch()

  struct Load: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var bytes: Data

    init() {}
    init(_ number: Int, filledWith byte: Int = 0) {
      self.number = number
      bytes = Data(repeating: UInt8(truncatingIfNeeded: byte), count: 256 << 10)
    }
  }

  private var logSize: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: scratch.file() + "-wal")
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Reads on other threads until the work is done.
  private func reading(
    _ threads: Int, _ read: @escaping @Sendable () throws -> Void, while work: () throws -> Void
  ) throws {
    let state = State()
    for _ in 0..<threads {
      Thread {
        while !state.isDone { do { try read() } catch { state.note(error) } }
        state.leave()
      }.start()
    }
    defer {
      state.end()
      for _ in 0..<threads { state.left.wait() }
    }
    try work()
    #expect(state.errors.isEmpty)
  }

  private final class State: @unchecked Sendable {
    private let lock = NSLock()
    private var hasEnded = false
    private var noted: [String] = []
    let left = DispatchSemaphore(value: 0)

    var isDone: Bool { lock.withLock { hasEnded } }
    var errors: [String] { lock.withLock { noted } }
    func end() { lock.withLock { hasEnded = true } }
    func note(_ error: any Error) { lock.withLock { noted.append("\(error)") } }
    func leave() { left.signal() }
  }

  /// Writes eight objects repeatedly.
  ///
  /// - Returns: the largest size of the log, and the longest time of a write.
  private func write(_ mebibytes: Int, _ store: MagicObjectStore) throws -> (
    log: Int, wait: Duration
  ) {
    var (largest, longest) = (0, Duration.zero)
    let clock = ContinuousClock()
    for number in 0..<mebibytes * 4 {
      let start = clock.now
      try store.update(Load(number % 8 + 1, filledWith: number / 8 + 1))
      longest = max(longest, clock.now - start)
      largest = max(largest, logSize)
    }
    return (largest, longest)
  }

  @Test func withoutReadersItStaysBelowSQLitesCheckpointSize() throws {
    try scratch.using(MagicOptions(durability: .normal)) { store in
      let log = try write(40, store).log
      #expect(log < 6 << 20)
    }
  }

  @Test func overlappingShortReadsDoNotLetItGrow() throws {
    try scratch.using(MagicOptions(durability: .normal)) { store in
      try store.update(Load(1))
      let read: @Sendable () throws -> Void = {
        try store.read { snapshot in
          for number in 1...3 {
            _ = try snapshot.has(of: Load.self, primary: number)
            Thread.sleep(forTimeInterval: 0.003)
          }
        }
      }
      try reading(4, read) {
        let (log, wait) = try write(120, store)
        #expect(log < 40 << 20)
        #expect(wait < .seconds(20))
      }
    }
  }

  @Test func aLargeLogIsTruncated() throws {
    try scratch.using(MagicOptions(durability: .normal)) { store in
      try store.update(Load(1))
      try store.read { snapshot in
        _ = try snapshot.has(of: Load.self, primary: 1)
        let (done, logs) = (DispatchSemaphore(value: 0), Sizes())
        Thread {
          logs.log = (try? write(30, store).log) ?? 0
          done.signal()
        }.start()
        done.wait()
        #expect(logs.log > 30 << 20)
      }
      _ = try write(20, store)
      #expect(logSize <= 17 << 20)
    }
  }

  private final class Sizes: @unchecked Sendable {
    var log = 0
  }
}
