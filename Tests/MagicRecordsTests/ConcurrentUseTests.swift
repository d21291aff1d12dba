import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private struct Stopped: Error {}

/// Tasks that use one object at the same time in every way that an object can be used.
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct ConcurrentUseTests {
  let scratch = Scratch()

  @Test(arguments: 0..<12) func theLastSaveStoresWhatTheObjectShows(seed: Int) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let new = Desk("a")
    new.owner = Player("Ann")
    new.people = [Player("Bob"), Player("Cid")]
    new.byShirt = [1: Player("Eve")]
    new.lazyOwner = .init(value: Player("Lea"))
    new.lazyPeople.set([Player("Max")])
    try await magic.update(new)
    let desk = seed.isMultiple(of: 2) ? new : try await magic.object(of: Desk.self)[0]
    try await useConcurrently(seed) { random in
      if random.below(3) > 0 {
        desk.change(&random)
      } else {
        try await desk.use(magic, &random)
      }
    }
    try await magic.update(desk)
    let stored = try await magic.object(of: Desk.self)[0]
    #expect(stored.summary == desk.summary)
    #expect(try await stored.lazyOwner?.get().name == desk.lazyOwner?.get().name)
    #expect(
      try await stored.lazyPeople.get().map(\.name) == desk.lazyPeople.get().map(\.name))
    #expect(desk.changes.isEmpty)
    await magic.close()
  }

  @Test(.requires(.assets), arguments: 0..<12)
  func theLastSaveStoresEveryKindOfValue(seed: Int) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let new = Everything()
    new.text = "a"
    try await magic.update(new)
    let object = seed.isMultiple(of: 2) ? new : try await magic.object(of: Everything.self)[0]
    try await useConcurrently(seed) { random in
      if random.below(3) > 0 {
        object.change(&random)
      } else {
        try await object.use(magic, &random)
      }
    }
    try await magic.update(object)
    let stored = try await magic.object(of: Everything.self)[0]
    #expect(stored.values == object.values)
    #expect(stored.asset?.value == object.asset?.value)
    #expect(object.changes.isEmpty)
    await magic.close()
  }

  /// Runs a body in four tasks, with random numbers of their own.
  private func useConcurrently(
    _ seed: Int, _ body: @escaping @Sendable (inout SeededRandom) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          var random = SeededRandom(UInt64(seed * 4 + task))
          for _ in 0..<60 {
            do {
              try await body(&random)
            } catch let error as MagicError where error.code == .changeInProgress {
              // Another task has suspended in a change whose value is not in the object meanwhile.
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

extension MagicData {
  /// Saves an object in a transaction that is rolled back.
  fileprivate func saveAndRollBack(_ object: some MagicObject) async throws {
    do {
      try await transaction {
        try $0.update(object)
        throw Stopped()
      }
    } catch is Stopped {}
  }
}

extension Desk {
  /// Uses the object in one way that does not suspend.
  fileprivate func change(_ random: inout SeededRandom) {
    switch random.below(16) {
    case 0: name = "b"
    case 1: tags.append("y")
    case 2: people.append(Player("Fay"))
    case 3: people.removeAll()
    case 4: people = [Player("Gus")]
    case 5: owner = random.below(2) == 0 ? nil : Player("Hal")
    case 6: owner?.name = "Ian"
    case 7: byShirt[random.below(3)] = random.below(2) == 0 ? nil : Player("Jo")
    case 8: group.insert(Player("Kim"))
    case 9: group.removeAll()
    case 10: lazyOwner = random.below(2) == 0 ? nil : .init(value: Player("Leo"))
    case 11: lazyPeople.append(Player("Mia"))
    case 12: lazyPeople.set([Player("Ned")])
    case 13: revert()
    case 14: _ = (summary, changes, hasChanges, savedValues.$people, savedValues.$owner)
    default: _ = copy().summary
    }
  }

  /// Uses the object in one way that may suspend.
  fileprivate func use(_ magic: MagicData, _ random: inout SeededRandom) async throws {
    switch random.below(8) {
    case 0: try await magic.refresh(self)
    case 1: try await magic.update(self)
    case 2: try await magic.saveAndRollBack(self)
    case 3: await people.appendSlowly(Player("Ora"))
    case 4: await tags.appendSlowly("z")
    case 5: await group.insertSlowly(Player("Pam"))
    case 6: _ = try await lazyPeople.get().count
    default:
      do {
        _ = try await lazyOwner?.get().name
      } catch let error as MagicError where error.code == .notFound {
        // Another task has stored nil meanwhile.
      }
    }
  }
}

extension Everything {
  /// Uses the object in one way that does not suspend.
  fileprivate func change(_ random: inout SeededRandom) {
    switch random.below(19) {
    case 0: text = "b"
    case 1: text += "c"
    case 2: count += 1
    case 3: isOn.toggle()
    case 4: date += 1
    case 5: data.append(7)
    case 6: url.appendPathComponent("d")
    case 7: decimal += 1
    case 8: rank = random.below(2) == 0 ? .low : .high
    case 9: heat.degrees += 1
    case 10: job.title += "e"
    case 11: list.append("z")
    case 12: list.removeAll()
    case 13: petName = random.below(2) == 0 ? nil : "f"
    case 14: maybe = maybe.map { $0 + 1 } ?? 0
    case 15: asset = random.below(2) == 0 ? nil : .init(value: "g")
    case 16: revert()
    case 17: _ = (values, changes, hasChanges, savedValues.$list, savedValues.$job)
    default: _ = copy().values
    }
  }

  /// Uses the object in one way that may suspend.
  fileprivate func use(_ magic: MagicData, _ random: inout SeededRandom) async throws {
    switch random.below(8) {
    case 0: try await magic.refresh(self)
    case 1: try await magic.update(self)
    case 2: try await magic.saveAndRollBack(self)
    case 3: await list.appendSlowly("y")
    case 4: await job.title.appendSlowly("h")
    case 5:
      let draft = try await magic.draft(of: self)
      draft.count += 10
      try await magic.commit(draft, overwriting: true)
    case 6: try await magic.update(contentsOf: [self, self])
    default: try await magic.transaction { try $0.refresh(self) }
    }
  }
}

extension RangeReplaceableCollection where Self: Sendable, Element: Sendable {
  fileprivate mutating func appendSlowly(_ element: Element) async {
    append(element)
    await Task.yield()
  }
}

extension MagicalSet {
  fileprivate mutating func insertSlowly(_ element: Element) async {
    insert(element)
    await Task.yield()
  }
}
