import MagicData

/// A type whose primary value is the row ID, without relationships.
struct Ship: MagicObject {
  @PrimaryMagicValue(.rowID) var id: Int
  @MagicValue var name: String
  @OptionMagicValue(.unique) var callSign: String?

  init() {}
  init(_ name: String, id: Int? = nil, callSign: String? = nil) {
    self.name = name
    self.callSign = callSign
    if let id { self.id = id }
  }
}

/// The primary is the last property.
struct Buoy: MagicObject {
  @MagicValue var name: String
  @PrimaryMagicValue(.rowID) var number: Int

  init() {}
  init(_ name: String, number: Int? = nil) {
    self.name = name
    if let number { self.number = number }
  }
}

/// The primary is the only property.
struct Mooring: MagicObject {
  @PrimaryMagicValue(.rowID) var id: Int

  init() {}
  init(id: Int) { self.id = id }
}

/// A type with relationships whose primary value is the row ID.
struct Harbour: MagicObject {
  @PrimaryMagicValue(.rowID) var id: Int
  @MagicValue var name: String
  @OptionMagicValue var flagship: Ship?
  @OptionMagicValue var twin: Harbour?
  @MagicValue var ships: [Ship] = []
  @MagicValue var pilots: AsyncMagical<[Ship]> = .init(value: [])
  @ReverseMagicValue(\Harbour.$twin) var twins: AsyncReverseMagicSet<Harbour>

  init() {}
  init(_ name: String, id: Int? = nil) {
    self.name = name
    if let id { self.id = id }
  }
}
