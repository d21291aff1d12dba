import MagicData

/// Types whose primaries have columns of their own.
enum ColumnPrimaries {
  struct Port: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue(.indexed) var name: String
    @OptionMagicValue var twin: Port?
    @MagicValue var neighbours: [Port] = []

    init() {}
    init(_ name: String, id: Int? = nil) {
      self.name = name
      if let id { self.id = id }
    }
  }

  struct Fleet: MagicObject {
    @PrimaryMagicValue var name: String
    @OptionMagicValue(.unique) var home: Port?
    @OptionMagicValue var base: AsyncMagical<Port>?
    @MagicValue var calls: [Port] = []
    @MagicValue var visited: MagicalSet<Port> = []
    @MagicValue var codes: [String: Port] = [:]

    init() {}
    init(_ name: String) { self.name = name }
  }
}

/// The same types; the primary of `Port` is the row ID.
enum RowIDPrimaries {
  struct Port: MagicObject {
    @PrimaryMagicValue(.rowID) var id: Int
    @MagicValue(.indexed) var name: String
    @OptionMagicValue var twin: Port?
    @MagicValue var neighbours: [Port] = []

    init() {}
    init(_ name: String, id: Int? = nil) {
      self.name = name
      if let id { self.id = id }
    }
  }

  struct Fleet: MagicObject {
    @PrimaryMagicValue var name: String
    @OptionMagicValue(.unique) var home: Port?
    @OptionMagicValue var base: AsyncMagical<Port>?
    @MagicValue var calls: [Port] = []
    @MagicValue var visited: MagicalSet<Port> = []
    @MagicValue var codes: [String: Port] = [:]

    init() {}
    init(_ name: String) { self.name = name }
  }
}
