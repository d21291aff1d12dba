import MagicAssets
import MagicAsync
import MagicRelations

/// An object with a primary and a file, of which the run keeps several instances.
struct Entry: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue(.indexed) var number: Int
  @OptionMagicValue(.searchable) var note: String?
  @OptionMagicValue var file: MagicAsset<String>?

  static var indexes: [MagicIndex<Entry>] {
    [
      MagicIndex { ($0.$note.asciiLowercased(), $0.$number + 1) },
      MagicIndex(\.$note, where: { $0.$number > 2 }),
    ]
  }

  init() {}
}

/// A member of collections.
struct Mark: MagicObject {
  @MagicValue var number: Int
  @ReverseMagicValue(\Bag.$list) var bags: AsyncReverseMagicSet<Bag>
  @ReverseMagicValue(\Tray.$list) var trays: AsyncReverseMagicSet<Tray>

  init() {}
  init(_ number: Int) { self.number = number }
}

/// An object with an auto-increment primary.
struct Ticket: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var label: Int

  init() {}
  init(_ label: Int) { self.label = label }
}

/// A member that has one bag at most, and is removed with it.
struct Part: MagicObject {
  @MagicValue var number: Int

  init() {}
  init(_ number: Int) { self.number = number }
}

/// An owner of collections.
struct Bag: MagicObject {
  @MagicValue var number: Int
  @OptionMagicValue var one: Entry?
  @OptionMagicValue var next: Bag?
  @MagicValue var list: [Mark] = []
  @MagicThrough(\RankedMark.$bag, \RankedMark.$mark, orderedBy: \.$place) var ranked: [Mark]
  @MagicValue var group: MagicalSet<Mark> = []
  @MagicValue var named: [String: Entry] = [:]
  @MagicValue(.owned, .onDelete(.cascade)) var parts: [Part] = []

  init() {}
  init(_ number: Int) { self.number = number }
}

/// An owner of lazy collections, which are edited without loading them.
struct Tray: MagicObject {
  @MagicValue var list: AsyncMagical<[Mark]> = .init(value: [])
  @MagicValue var group: AsyncMagical<MagicalSet<Mark>> = .init(value: [])
  @MagicValue var named: AsyncMagical<[String: Entry]> = .init(value: [:])

  init() {}
}

/// The join type of marks in bags.
struct RankedMark: MagicObject {
  @MagicValue(.onDelete(.cascade)) var bag: Bag
  @MagicValue(.onDelete(.cascade)) var mark: Mark
  @MagicValue var place: Int = 0

  init() {}
}

/// An object whose reference denies the removal of an entry.
struct Holder: MagicObject {
  @MagicValue var entry: Entry

  init() {}
}
