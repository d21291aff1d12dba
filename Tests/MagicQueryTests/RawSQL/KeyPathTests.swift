import MagicQuery
import MagicStatements
import Testing

/// Refers to itself.
private struct Link: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var next: Link
  @OptionMagicValue var last: Link?

  init() {}
}

/// Declares an index across a required relationship.
private struct BadIndex: MagicObject {
  @MagicValue var contract: Contract
  static var indexes: [MagicIndex<BadIndex>] { [MagicIndex(\.contract.sailor.$name)] }

  init() {}
}

/// An inverse relationship of a type that a contract refers to.
private struct BadReverse: MagicObject {
  @MagicValue var name: String = ""
  @ReverseMagicValue(\Voyage.vessel.$crew) var voyages: AsyncReverseMagicSet<Voyage>

  init() {}
}

private struct Voyage: MagicObject {
  @MagicValue var vessel: Vessel

  init() {}
}

/// Key paths through the value of a relationship, which are refused.
@Suite struct KeyPathTests {
  private let fleet: Fleet

  init() throws { fleet = try Fleet.manned() }

  @Test func aColumnOfAnotherTypeIsAnError() throws {
    try fleet.expect(.invalidQuery, of: "SELECT \(column: \Contract.sailor.$name) FROM Sailor")
    try fleet.expect(.invalidQuery, of: "SELECT \(column: \Contract.$sailor.$name) FROM Sailor")
    try fleet.expect(.invalidQuery, of: "SELECT 1 FROM \(links: \Voyage.vessel.$crew)")
  }

  @Test func aColumnOfAnotherObjectOfTheTypeIsAnError() throws {
    try fleet.expect(.invalidQuery, of: "SELECT \(column: \Link.next.$name)")
    try fleet.expect(.invalidQuery, of: "SELECT \(column: \Link.next.next.$name)")
    try fleet.expect(.invalidQuery, of: "SELECT \(column: \Link.$last.$name)")
    #expect(
      fleet.store.sql("SELECT \(column: \Link.$name)").description == "SELECT \"name\"")
  }

  @Test func aQueryRefusesIt() throws {
    let contracts = fleet.store.query(Contract.self)
    let error = #expect(throws: MagicError.self) {
      try contracts.where(\.sailor.$name == "Ada").all()
    }
    #expect(error?.code == .invalidQuery)
    let link = #expect(throws: MagicError.self) {
      try fleet.store.query(Link.self).where(\.next.$name == "x").all()
    }
    #expect(link?.code == .invalidQuery)
    #expect(try contracts.where(\.$sailor.$name == "Ada").all().isEmpty)
  }

  @Test func aTypeWithAnIndexOnSuchAKeyPathIsRefused() throws {
    let error = #expect(throws: MagicError.self) { try fleet.store.object(of: BadIndex.self) }
    #expect(error?.code == .invalidSchema)
  }

  @Test func aTypeWithAnInverseOfSuchAKeyPathIsRefused() throws {
    let error = #expect(throws: MagicError.self) { try fleet.store.update(BadReverse()) }
    #expect(error?.code == .invalidSchema)
  }
}
