import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Many tasks share few reading connections.
@Suite(.timeLimit(.minutes(5))) struct ConcurrencyPoolTests {
  let scratch = Scratch()

  /// Two rows whose values have the sum 0.
  struct Account: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue var amount: Int = 0

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Shelf: MagicObject {
    @PrimaryMagicValue var name: String
    @ReverseMagicValue(\Volume.$shelf) var volumes: AsyncReverseMagicSet<Volume>

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Volume: MagicObject {
    @MagicValue var number: Int
    @OptionMagicValue var shelf: Shelf?

    init() {}
    init(_ number: Int, _ shelf: Shelf) { (self.number, self.shelf) = (number, shelf) }
  }

  struct Failure: Error {}

  private func open(readers: Int) async throws -> MagicData {
    try await MagicData(
      path: scratch.file(), options: MagicOptions(durability: .normal, readers: readers))
  }

  /// The number of connections to the database: each has opened the file once.
  private var connectionCount: Int {
    openFiles(under: scratch.path).filter { $0 == scratch.file() }.count
  }

  /// Moves amounts between the two accounts until the body is done.
  private func transferring<Result>(
    _ magic: MagicData, while body: () async throws -> Result
  ) async throws -> Result {
    let (left, right) = (Account("left"), Account("right"))
    try await magic.update(contentsOf: [left, right])
    let writing = Task {
      var round = 0
      repeat {
        round += 1
        (left.amount, right.amount) = (round, -round)
        try await magic.update(contentsOf: [left, right])
      } while !Task.isCancelled
      return round
    }
    do {
      let result = try await body()
      writing.cancel()
      _ = try? await writing.value
      return result
    } catch {
      writing.cancel()
      throw error
    }
  }

  /// Other processes can disturb a measurement, so the best of three counts.
  @Test(arguments: [1, 4])
  func tenThousandTasksFinishFairlyOnFewConnections(readers: Int) async throws {
    let magic = try await open(readers: readers)
    try await magic.update(contentsOf: (0..<100).map { Person(id: "\($0)", name: "\($0)") })
    var isFair = false
    for _ in 0..<3 where !isFair {
      let waits = try await waits(of: 10_000, magic)
      #expect(waits.count == 10_000)
      isFair = waits[9_999] <= waits[5_000] * 3
    }
    #expect(isFair)
    #expect(connectionCount <= readers + 1)
  }

  /// Returns the sorted times until each of some reading tasks finished.
  private func waits(of count: Int, _ magic: MagicData) async throws -> [Duration] {
    try await transferring(magic) {
      let start = ContinuousClock.now
      return try await withThrowingTaskGroup(of: Duration.self) { group in
        for number in 0..<count {
          group.addTask {
            let id = "\(number % 100)"
            let person = try await magic.object(of: Person.self, primary: id)
            #expect(person.name == id)
            return ContinuousClock.now - start
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }.sorted()
  }

  @Test func aSnapshotSeesBothSidesOfATransfer() async throws {
    let magic = try await open(readers: 2)
    let sums = try await transferring(magic) {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<400 {
          group.addTask {
            guard number % 2 == 0 else {
              return try await magic.object(of: Account.self).reduce(0) { $0 + $1.amount }
            }
            return try await magic.read { snapshot in
              let left = try snapshot.object(of: Account.self, primary: "left").amount
              if number % 20 == 0 { Thread.sleep(forTimeInterval: 0.002) }
              return try left + snapshot.object(of: Account.self, primary: "right").amount
            }
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
    }
    #expect(sums == [0])
  }

  @Test(arguments: [1, 4])
  func everyTaskReadsWhatItHasWritten(readers: Int) async throws {
    let magic = try await open(readers: readers)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<500 {
        group.addTask {
          let id = "\(number)"
          for round in 1...3 {
            try await magic.update(Person(id: id, name: "\(round)"))
            #expect(try await magic.object(of: Person.self, primary: id).name == "\(round)")
            let name = try await magic.read { snapshot in
              try snapshot.object(of: Person.self, primary: id).name
            }
            #expect(name == "\(round)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func aStreamThatIsNotIteratedHoldsNoConnection() async throws {
    let magic = try await open(readers: 1)
    let shelf = Shelf("a")
    try await magic.update(contentsOf: (0..<1_500).map { Volume($0, shelf) })
    var stream = shelf.volumes.makeAsyncIterator()
    var seen = 0
    while seen < 600, try await stream.next() != nil { seen += 1 }
    // The stream is in the middle of its second page.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          #expect(try await magic.object(of: Shelf.self, primary: "a").name == "a")
          if number % 10 == 0 { try await magic.update(Volume(number, shelf)) }
        }
      }
      try await group.waitForAll()
    }
    #expect(connectionCount <= 2)
    while try await stream.next() != nil { seen += 1 }
    #expect(seen >= 1_500)
  }

  @Test func cancelledTasksReturnTheirConnectionsToThePool() async throws {
    let magic = try await open(readers: 1)
    try await magic.update(Person(id: "a", name: "a"))
    let (occupied, free) = (Flag(), Flag())
    let occupying = Task {
      try await magic.read { snapshot in
        occupied.set()
        free.wait()
        return try snapshot.object(of: Person.self).count
      }
    }
    #expect(await eventually { occupied.isSet })
    let tasks = (0..<1_000).map { _ in
      Task { try await magic.object(of: Person.self, primary: "a").name }
    }
    for (index, task) in tasks.enumerated() where index % 3 != 0 { task.cancel() }
    free.set()
    var cancelled = 0
    for task in tasks {
      do { #expect(try await task.value == "a") } catch is CancellationError { cancelled += 1 }
    }
    #expect(cancelled == 666)
    #expect(try await occupying.value == 1)
    #expect(try await magic.object(of: Person.self).count == 1)
    #expect(connectionCount <= 2)
  }

  @Test func bodiesThatThrowReturnTheirConnectionToThePool() async throws {
    let magic = try await open(readers: 1)
    try await magic.update(Person(id: "0", name: "0"))
    for round in 1...50 {
      await #expect(throws: Failure.self) {
        try await magic.read { snapshot in
          _ = try snapshot.object(of: Person.self)
          throw Failure()
        }
      }
      let error = await #expect(throws: MagicError.self) {
        try await magic.read { try $0.object(of: Person.self, primary: "none") }
      }
      #expect(error?.code == .notFound)
      // No transaction is open: the next read sees the current state.
      try await magic.update(Person(id: "\(round)", name: "0"))
      #expect(try await magic.object(of: Person.self).count == round + 1)
    }
    #expect(connectionCount <= 2)
    // No open transaction prevents a checkpoint of the log.
    #expect(try scratch.raw().integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
  }
}
