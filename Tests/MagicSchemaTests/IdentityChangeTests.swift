import MagicSchema
import Testing

private struct Person: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var age: Int = 0
  init() {}
}

/// The identity of objects, and the counts that show that it may have changed.
@Suite struct IdentityChangeTests {
  private let schema: ObjectSchema
  private let first = RowIdentity(store: StoreToken(rawValue: 1), zIndex: ZIndex(rawValue: 1))
  private let second = RowIdentity(store: StoreToken(rawValue: 2), zIndex: ZIndex(rawValue: 1))

  init() throws { schema = try ObjectSchema.of(Person.self) }

  @Test func anInsertIsCounted() {
    let record = ObjectRecord(identity: nil, boxCount: 0)
    let before = IdentityEpoch.current
    _ = record.commit(.row(first))
    #expect(IdentityEpoch.current.changes > before.changes)
  }

  @Test func losingARowIsCountedTwice() {
    let record = ObjectRecord(identity: first, boxCount: 0)
    let before = IdentityEpoch.current
    _ = record.commit(.removed(first.store))
    #expect(IdentityEpoch.current.changes > before.changes)
    #expect(IdentityEpoch.current.departures > before.departures)
    #expect(record.identity == nil)
  }

  @Test func changingTheRowCountsAsLosingOne() {
    let record = ObjectRecord(identity: first, boxCount: 0)
    let before = IdentityEpoch.current
    _ = record.commit(.row(second))
    #expect(IdentityEpoch.current.departures > before.departures)
    #expect(record.identity == second)
  }

  @Test func copiesHaveOneInstanceKeyAndOtherInstancesAnother() {
    let people = [Person(), Person()]
    let copy = people[0]
    let keys = (people + [copy]).map { schema.withReference(to: $0) { $0.instanceKey } }
    #expect(keys[0] == keys[2])
    #expect(keys[0] != keys[1])
  }

  @Test func onlyAnAssignedPrimaryIsReported() {
    let person = Person()
    func assigned(_ column: Int) -> StoredPrimary? {
      schema.withReference(to: person) {
        schema.columns[column].assignedPrimary($0.property(column))
      }
    }
    #expect(assigned(0) == nil)
    #expect(assigned(0) == nil)
    let name = person.name
    #expect(assigned(0) == .text(name))
    #expect(assigned(1) == nil)
  }
}
