import Foundation
import MagicData
import MagicTestSupport
import Testing

/// A snapshot that is open while a hundred mebibytes are written.
@Suite(.timeLimit(.minutes(5))) struct ConcurrencySnapshotTests {
  let scratch = Scratch()

  struct Load: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var bytes: Data

    init() {}
    init(_ number: Int, filledWith byte: Int) {
      self.number = number
      bytes = Data(repeating: UInt8(truncatingIfNeeded: byte), count: 1 << 20)
    }
  }

  private var logSize: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: scratch.file() + "-wal")
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Writes a hundred mebibytes while a snapshot is open.
  ///
  /// - Returns: the result of the read, the largest size of the log, the longest time of a write.
  private func overtake<Result: Sendable>(
    _ magic: MagicData,
    then finish: @escaping @Sendable (borrowing MagicSnapshot) throws -> Result
  ) async throws -> (reading: Task<Result, any Error>, log: Int, wait: Duration) {
    try await magic.update(Load(1, filledWith: 0))
    let (began, written) = (Flag(), Flag())
    let reading = Task {
      try await magic.read { snapshot in
        #expect(try snapshot.object(of: Load.self, primary: 1).bytes.first == 0)
        began.set()
        written.wait()
        return try finish(snapshot)
      }
    }
    defer { written.set() }
    try #require(await eventually { began.isSet })
    var (largest, longest) = (0, Duration.zero)
    for round in 1...100 {
      let start = ContinuousClock.now
      try await magic.update(Load(round % 10 + 1, filledWith: round))
      longest = max(longest, ContinuousClock.now - start)
      largest = max(largest, logSize)
    }
    return (reading, largest, longest)
  }

  @Test func itEndsWithAnErrorAndTheLogStaysBelowItsLimit() async throws {
    let magic = try await MagicData(
      path: scratch.file(), options: MagicOptions(durability: .normal, readers: 1))
    let (reading, log, wait) = try await overtake(magic) {
      try $0.object(of: Load.self, primary: 1).bytes.count
    }
    let error = await #expect(throws: MagicError.self) { try await reading.value }
    #expect(error?.code == .snapshotTooOld)
    #expect(log > 60 << 20)
    #expect(log <= 64 << 20 + 2 << 20)
    #expect(logSize <= 64 << 20)
    // Writes wait for the snapshot only briefly.
    #expect(wait < .seconds(20))
    // The connection of the snapshot is usable.
    #expect(try await magic.object(of: Load.self).count == 10)
    let counts = try await magic.read { snapshot in
      [try snapshot.object(of: Load.self).count, try snapshot.object(of: Load.self).count]
    }
    #expect(counts == [10, 10])
  }

  @Test func itContinuesUnderALargerLimit() async throws {
    let magic = try await MagicData(
      path: scratch.file(),
      options: MagicOptions(durability: .normal, readers: 1, snapshotLimit: 256 << 20))
    let (reading, log, _) = try await overtake(magic) {
      try $0.object(of: Load.self, primary: 1).bytes.first
    }
    #expect(try await reading.value == 0)
    #expect(log > 100 << 20)
    for round in 0..<40 { try await magic.update(Load(round % 10 + 1, filledWith: round + 200)) }
    #expect(logSize <= 20 << 20)
  }

  @Test func valuesReadBeforeItsEndAreReturned() async throws {
    let magic = try await MagicData(
      path: scratch.file(),
      options: MagicOptions(durability: .normal, readers: 1, snapshotLimit: 4 << 20))
    let (reading, log, _) = try await overtake(magic) { _ in 7 }
    #expect(try await reading.value == 7)
    #expect(log <= 6 << 20)
  }

  @Test func aSnapshotLimitBelowOneIsRefused() async throws {
    let error = await #expect(throws: MagicError.self) {
      _ = try await MagicData(path: scratch.file(), options: MagicOptions(snapshotLimit: 0))
    }
    #expect(error?.code == .invalidOption)
  }
}
