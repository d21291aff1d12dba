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
    let (desk, stored) = try await useConcurrently(Desk.filled(), magic, seed)
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
    let (object, stored) = try await useConcurrently(new, magic, seed)
    #expect(stored.values == object.values)
    #expect(stored.asset?.value == object.asset?.value)
    #expect(object.changes.isEmpty)
    await magic.close()
  }

  /// Saves an object, lets four tasks use it or an instance that is fetched, each in an order of its own, and
  /// saves it again.
  ///
  /// - Returns: the object, and another instance of its row.
  private func useConcurrently<Model: UsedObject>(
    _ new: Model, _ magic: MagicData, _ seed: Int
  ) async throws -> (object: Model, stored: Model) {
    try await magic.update(new)
    let object = seed.isMultiple(of: 2) ? new : try await magic.object(of: Model.self)[0]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          var random = SeededRandom(UInt64(seed * 4 + task))
          for _ in 0..<60 {
            do {
              if random.below(3) > 0 {
                object.change(&random)
              } else {
                try await object.use(magic, &random)
              }
            } catch let error as MagicError where error.code == .changeInProgress {
              // Another task has suspended in a change whose value is not in the object meanwhile.
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await magic.update(object)
    return (object, try await magic.object(of: Model.self)[0])
  }
}

private protocol UsedObject: MagicObject {
  /// Uses the object in one way that does not suspend.
  func change(_ random: inout SeededRandom)

  /// Uses the object in one way that may suspend.
  func use(_ magic: MagicData, _ random: inout SeededRandom) async throws
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

extension Desk: UsedObject {
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

extension Everything: UsedObject {
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
