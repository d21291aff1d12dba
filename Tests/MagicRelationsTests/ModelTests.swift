import EngineConformance
import MagicRelations
import MagicStore
import MagicTestSupport
import Testing

/// A set, compared with an array that is searched linearly.
@Suite(.everyEngine) struct ModelTests {
  @Test(arguments: Effort.choose(0..<5, long: 0..<16)) func aSetDoesWhatAnArrayDoes(seed: UInt64)
    throws
  {
    var random = SeededRandom(seed)
    let store = try makeStore()
    let other = try makeStore()
    var pool = (0..<12).map { $0 % 3 == 0 ? Guest() : Guest("\($0 % 8)") }
    var set = MagicalSet<Guest>()
    var copies: [(set: MagicalSet<Guest>, members: [Guest])] = []

    for _ in 0..<250 {
      let guest = pool[Int(random.next() % UInt64(pool.count))]
      switch random.next() % 14 {
      case 0...3: try checkInsert(guest, into: &set)
      case 4, 5: try checkRemove(guest, from: &set)
      case 6, 7: try store.update(guest)
      case 8: if guest.zIndex != nil { try? store.remove(guest) }
      case 9: pool.append(try store.object(of: Guest.self).last ?? Guest())
      case 10: if random.next() % 4 == 0 { try other.update(guest) }
      case 11: if pool.count > 6 { pool.removeFirst() }
      case 12: pool.append(Guest("\(random.next() % 8)"))
      default: copies.append((set, set.members))
      }
      for guest in pool {
        #expect(try set.contains(guest) == set.contains { try areSame($0, guest) })
      }
    }
    for (copy, members) in copies {
      #expect(copy.count == members.count)
      for guest in pool {
        #expect(try copy.contains(guest) == members.contains { try areSame($0, guest) })
      }
    }
    set.deduplication()
    for (index, guest) in set.enumerated() {
      #expect(try !set.prefix(index).contains { try areSame($0, guest) })
    }
  }

  private func checkInsert(_ guest: Guest, into set: inout MagicalSet<Guest>) throws {
    let before = set.members
    let isNew = try !before.contains { try areSame($0, guest) }
    #expect(set.insert(guest).inserted == isNew)
    #expect(set.count == before.count + (isNew ? 1 : 0))
    let changed = zip(before, set).filter { key($0) != key($1) }
    #expect(changed.count <= (isNew ? 0 : 1))
    for (old, new) in changed {
      #expect(try areSame(old, guest))
      #expect(key(new) == key(guest))
    }
  }

  private func checkRemove(_ guest: Guest, from set: inout MagicalSet<Guest>) throws {
    let before = set.members
    let kept = try before.filter { try !areSame($0, guest) }
    let removed = set.remove(guest)
    #expect((removed == nil) == (kept.count == before.count))
    if let removed { #expect(try areSame(removed, guest)) }
    #expect(Set(set.map(key)) == Set(kept.map(key)))
    #expect(set.count == kept.count)
  }

  private func key(_ guest: Guest) -> UInt {
    (try? ObjectSchema.of(Guest.self).withReference(to: guest) { $0.instanceKey }) ?? 0
  }
}
