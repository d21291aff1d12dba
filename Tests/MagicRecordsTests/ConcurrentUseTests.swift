import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

private struct Stopped: Error {}

/// Tasks that use one object at the same time in every way that an object can be used.
@Suite(.everyEngine, .timeLimit(.minutes(5))) struct ConcurrentUseTests {
  @Test(arguments: 0..<12) func theLastSaveStoresWhatTheObjectShows(seed: Int) async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let new = Desk("a")
    new.owner = Player("Ann")
    new.people = [Player("Bob"), Player("Cid")]
    new.byShirt = [1: Player("Eve")]
    new.lazyOwner = .init(value: Player("Lea"))
    new.lazyPeople.set([Player("Max")])
    try await magic.update(new)
    let desk = seed.isMultiple(of: 2) ? new : try await magic.object(of: Desk.self)[0]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          var random = SeededRandom(UInt64(seed * 4 + task))
          for _ in 0..<60 {
            if random.below(3) > 0 {
              desk.change(&random)
            } else {
              try await desk.use(magic, &random)
            }
          }
        }
      }
      try await group.waitForAll()
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
    case 2:
      do {
        try await magic.transaction {
          try $0.update(self)
          throw Stopped()
        }
      } catch is Stopped {}
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

extension Array where Element: Sendable {
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
