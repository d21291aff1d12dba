import EngineConformance
import Foundation
import MagicData
import MagicStore
import MagicTestSupport
import Testing

/// Bodies of reads for which recording differs: by the kind of database, and by the body.
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct RecordedBodyTests {
  /// The number of runs of bodies.
  private let runs = LiveBox(0)

  /// In memory the reading connection is the writing connection.
  @Test(.requires([.queries, .regions])) func aBodyIsRecordedInMemory() async throws {
    let world = try ValuedWorld(.memory)
    try await world.magic.update(ValuedPet("Rex"))
    let runs = runs
    let found = ValuedResults(
      world.magic.values { snapshot in
        runs.add(1)
        return try snapshot.query(ValuedPet.self).count()
      })
    #expect(try await found.first(1) == [1])
    let before = runs.value
    try await world.magic.update(ValuedHome("Oak"))
    try await world.runOtherTasks()
    #expect(runs.value == before)
    try await world.magic.update(ValuedPet("Max"))
    #expect(try await found.first(2) == [1, 2])
  }

  @Test(.requires(.queries)) func aBodyThatReadsAnotherTableInEachRunHasAResult() async throws {
    let world = try ValuedWorld()
    try await world.magic.update(contentsOf: [ValuedHome("Oak"), ValuedHome("Elm")])
    try await world.magic.update(ValuedPet("Rex"))
    let runs = runs
    let found = ValuedResults(
      world.magic.values { snapshot in
        runs.add(1)
        return runs.value.isMultiple(of: 2)
          ? "pets \(try snapshot.query(ValuedPet.self).count())"
          : "homes \(try snapshot.query(ValuedHome.self).count())"
      })
    let first = try await found.first(1)[0]
    try await world.magic.transaction { transaction in
      try transaction.update(ValuedHome("Fir"))
      try transaction.update(ValuedPet("Max"))
    }
    #expect(["pets 1", "homes 2"].contains(first))
    #expect(["pets 2", "homes 3"].contains(try await found.first(2)[1]))
  }

  @Test(.requires([.queries, .regions])) func aBodyThatReadsLessRunsAfterFewerCommits() async throws
  {
    let world = try ValuedWorld()
    let home = ValuedHome("Oak", 0)
    try await world.magic.update(home)
    try await world.magic.update(ValuedPet("Rex"))
    let runs = runs
    let found = ValuedResults(
      world.magic.values { snapshot in
        runs.add(1)
        let number = try snapshot.query(ValuedHome.self).select(\.$number).first()
        return number == 0 ? try snapshot.query(ValuedPet.self).count() : -1
      })
    #expect(try await found.first(1) == [1])
    try await world.magic.query(ValuedHome.self).update(set: \.$number, to: 1)
    #expect(try await found.first(2) == [1, -1])
    let before = runs.value
    try await world.magic.update(ValuedPet("Max"))
    try await world.runOtherTasks()
    #expect(runs.value == before)
    try await world.magic.query(ValuedHome.self).update(set: \.$number, to: 0)
    #expect(try await found.first(3) == [1, -1, 2])
    try await world.magic.update(ValuedPet("Tom"))
    #expect(try await found.first(4) == [1, -1, 2, 3])
  }

  @Test(.requires(.migration)) func aBodyMigratesTheTableThatItReads() async throws {
    let scratch = try TemporaryDirectory()
    let path = scratch.file("database").path
    let old = try await MagicData.onTestedEngine(path: path)
    try await old.update(ValuedFirst(7))
    await old.close()
    let magic = try await MagicData.onTestedEngine(path: path)
    let found = ValuedResults(
      magic.values { snapshot in
        try snapshot.object(of: ValuedSecond.self).map { "\($0.number) \($0.text)" }
      })
    #expect(try await found.first(1) == [["7 none"]])
    try await magic.update(ValuedSecond(8))
    #expect(try await found.first(2)[1] == ["7 none", "8 none"])
    await magic.close()
    try await found.ending()
    #expect(found.error == nil)
  }

  @Test(.requires(.files)) func aBodyIsRecordedInAReadOnlyDatabase() async throws {
    let scratch = try TemporaryDirectory()
    let path = scratch.file("database").path
    let writer = try await MagicData.onTestedEngine(path: path)
    try await writer.update(ValuedPet("Rex"))
    await writer.close()
    let magic = try await MagicData.onTestedEngine(
      path: path, options: MagicOptions(readOnly: true))
    let found = ValuedResults(
      magic.values { snapshot in
        "\(try snapshot.query(ValuedPet.self).count()) \(try snapshot.query(ValuedHome.self).count())"
      })
    #expect(try await found.first(1) == ["1 0"])
    await magic.close()
    try await found.ending()
    #expect(found.error == nil)
  }
}

private struct ValuedFirst: MagicObject {
  static let tableName = "ValuedVersion"

  @MagicValue var number: Int = 0

  init() {}

  init(_ number: Int) { self.number = number }
}

private struct ValuedSecond: MagicObject {
  static let tableName = "ValuedVersion"

  @MagicValue var number: Int = 0
  @MagicValue var text: String = "none"

  init() {}

  init(_ number: Int) { self.number = number }
}
