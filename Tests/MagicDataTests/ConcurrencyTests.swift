import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

@Suite(.everyEngine) struct ConcurrencyTests {
  let scratch = Scratch()

  @Test func aThousandConcurrentUpdatesLoseNothingAndDuplicateNothing() async throws {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    let zIndexes = try await withThrowingTaskGroup(of: ZIndex.self) { group in
      for index in 0..<1_000 {
        group.addTask {
          try await magic.update(Person(id: "\(index % 500)", name: "\(index)"))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(zIndexes.count == 1_000)
    #expect(Set(zIndexes).count == 500)
    let people = try await magic.object(of: Person.self)
    #expect(Set(people.map(\.id)) == Set((0..<500).map(String.init)))
    #expect(people.count == 500)
    #expect(people.allSatisfy { person in (Int(person.name) ?? -1) % 500 == Int(person.id) })
  }

  @Test func concurrentInsertsHaveDistinctAutoIncrementPrimaries() async throws {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    let tickets = (0..<1_000).map { Ticket("\($0)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for ticket in tickets { group.addTask { try await magic.update(ticket) } }
      try await group.waitForAll()
    }
    #expect(Set(tickets.map(\.number)) == Set(1...1_000))
    #expect(Set(tickets.compactMap(\.zIndex)).count == 1_000)
    let stored = try await magic.object(of: Ticket.self)
    #expect(Set(stored.map { "\($0.number) \($0.title)" }).count == 1_000)
  }

  @Test func oneObjectSavedByManyTasksIsOneRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (note, ticket) = (Note("a"), Ticket("t"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask {
          note.stars = index
          try await magic.update(note)
          try await magic.update(ticket)
        }
      }
      try await group.waitForAll()
    }
    try await magic.update(note)
    let notes = try await magic.object(of: Note.self)
    #expect(notes.map(\.stars) == [note.stars])
    #expect(try await magic.object(of: Ticket.self).map(\.number) == [1])
  }

  @Test func readsDuringWritesSeeCompleteTransactions() async throws {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    let boxes = (0..<20).map { _ in Box(10) }
    try await magic.update(contentsOf: boxes)
    let writing = Task {
      for round in 1...100 {
        boxes[round % 20].value += round
        boxes[(round * 7 + 1) % 20].value -= round
        try await magic.update(contentsOf: boxes)
      }
    }
    let sums = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<3 {
        group.addTask {
          var sums: [Int] = []
          for _ in 0..<60 {
            let all = try await magic.object(of: Box<Int>.self)
            sums.append(all.count == 20 ? all.reduce(0) { $0 + $1.value } : -1)
          }
          return sums
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    try await writing.value
    #expect(Set(sums) == [200])
  }

  @Test func aReadOfManyPrimariesIsOneSnapshot() async throws {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    let people = (0..<300).map { Person(id: "\($0)", name: "0") }
    try await magic.update(contentsOf: people)
    let ids = people.map(\.id)
    let writing = Task {
      for round in 1...40 {
        for person in people { person.name = "\(round)" }
        try await magic.update(contentsOf: people)
      }
    }
    for _ in 0..<30 {
      let names = try await magic.object(of: Person.self, primaries: ids).map(\.name)
      #expect(names.count == 300)
      #expect(Set(names).count == 1)
    }
    try await writing.value
  }

  @Test func aTaskReadsWhatItHasWritten() async throws {
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(durability: .normal))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<25 {
            let id = "\(task)-\(index)"
            try await magic.update(Person(id: id, name: id))
            #expect(try await magic.object(of: Person.self, primary: id).name == id)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await magic.object(of: Person.self).count == 200)
  }

  @Test(.requires(.files)) func differentDatabasesDoNotBlockEachOther() async throws {
    let locked = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(busyTimeout: 40))
    try await locked.update(Note("a"))
    let free = try await MagicData.onTestedEngine(path: scratch.file("free.db"))
    let raw = try scratch.raw()
    try raw.execute("BEGIN IMMEDIATE")
    let waiting = Task { try await locked.update(Note("b")) }
    try await Task.sleep(nanoseconds: 50_000_000)
    let start = ContinuousClock.now
    for index in 0..<20 { try await free.update(Note("\(index)")) }
    #expect(ContinuousClock.now - start < .seconds(30))
    try raw.execute("ROLLBACK")
    _ = try await waiting.value
    #expect(try await locked.object(of: Note.self).count == 2)
  }

  @Test func propertiesMayBeSetFromAnyTask() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let box = Box(0, 0)
    try await magic.update(box)
    let fetched = try await magic.object(of: Box<Int>.self)[0]
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { fetched.value += 1 } }
        group.addTask { for _ in 0..<500 { fetched.option? += 1 } }
      }
    }
    #expect(fetched.value == 4_000)
    #expect(fetched.option == 4_000)
    try await magic.update(fetched)
    #expect(try await magic.object(of: Box<Int>.self).map(\.value) == [4_000])
  }
}
