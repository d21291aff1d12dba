import EngineConformance
import MagicQuery
import MagicTestSupport
import SQLiteStore
import Testing

private protocol Parcel: MagicObject {
  static var title: MagicPath<Self, String> { get }
  static var note: MagicPath<Self, String?> { get }
  static var size: MagicPath<Self, Int> { get }
  static var weight: MagicPath<Self, Double?> { get }
  static var isSent: MagicPath<Self, Bool> { get }
  init(_ title: String, _ note: String?, _ size: Int, _ weight: Double?, _ isSent: Bool)
}

private struct PlainParcel: Parcel {
  @MagicValue var title: String = ""
  @OptionMagicValue var note: String?
  @MagicValue var size: Int = 0
  @OptionMagicValue var weight: Double?
  @MagicValue var isSent: Bool = false

  static var title: MagicPath<Self, String> { \.$title }
  static var note: MagicPath<Self, String?> { \.$note }
  static var size: MagicPath<Self, Int> { \.$size }
  static var weight: MagicPath<Self, Double?> { \.$weight }
  static var isSent: MagicPath<Self, Bool> { \.$isSent }

  init() {}
  init(_ title: String, _ note: String?, _ size: Int, _ weight: Double?, _ isSent: Bool) {
    self.title = title
    self.note = note
    self.size = size
    self.weight = weight
    self.isSent = isSent
  }
}

/// A type whose indexes contain all values and conditions of the queries.
private struct IndexedParcel: Parcel {
  @MagicValue var title: String = ""
  @OptionMagicValue var note: String?
  @MagicValue var size: Int = 0
  @OptionMagicValue var weight: Double?
  @MagicValue var isSent: Bool = false

  static var title: MagicPath<Self, String> { \.$title }
  static var note: MagicPath<Self, String?> { \.$note }
  static var size: MagicPath<Self, Int> { \.$size }
  static var weight: MagicPath<Self, Double?> { \.$weight }
  static var isSent: MagicPath<Self, Bool> { \.$isSent }

  static var indexes: [MagicIndex<IndexedParcel>] {
    // The expressions themselves need the schema of the type, which does not exist yet.
    let values = (0..<6).map { place in
      MagicIndex<IndexedParcel> { _ in ParcelQuery<IndexedParcel>.numbers[place] }
    }
    let conditions = (0..<14).map { place in
      MagicIndex<IndexedParcel>(
        \.$size, where: { _ in ParcelQuery<IndexedParcel>.conditions[place] })
    }
    let texts = (0..<4).map { place in
      MagicIndex<IndexedParcel> { _ in ParcelQuery<IndexedParcel>.texts[place] }
    }
    let tests = (0..<14).map { place in
      MagicIndex<IndexedParcel> { _ in ParcelQuery<IndexedParcel>.conditions[place] }
    }
    return values + conditions + texts + tests
  }

  init() {}
  init(_ title: String, _ note: String?, _ size: Int, _ weight: Double?, _ isSent: Bool) {
    self.title = title
    self.note = note
    self.size = size
    self.weight = weight
    self.isSent = isSent
  }
}

/// Random conditions on a type.
private struct ParcelQuery<Model: Parcel> {
  var random: SeededRandom

  private static var row: MagicRow<Model> { MagicRow(scope: .innermost) }
  private static var size: MagicExpression<Model, Int> { row[dynamicMember: Model.size] }
  private static var title: MagicExpression<Model, String> { row[dynamicMember: Model.title] }
  private static var note: MagicExpression<Model, String?> { row[dynamicMember: Model.note] }
  private static var weight: MagicExpression<Model, Double?> { row[dynamicMember: Model.weight] }
  private static var isSent: MagicExpression<Model, Bool> { row[dynamicMember: Model.isSent] }

  static var numbers: [MagicExpression<Model, Int>] {
    [
      size + 1, size * size - 2, -size, abs(size - 3), size % 3,
      .when(isSent == true, then: size, else: size + 100),
    ]
  }

  static var texts: [MagicExpression<Model, String>] {
    [
      title.asciiLowercased(), title + "x", (note ?? "none"), title.replacing("a", with: ""),
    ]
  }

  static var conditions: [MagicPredicate<Model>] {
    [
      size > 2, size == 1 || size == 5, note == "b", note != "b", weight == nil, weight != nil,
      (weight ?? 0.5) > 0.25, title.hasPrefix("a"), title.contains("B"),
      note.asciiLowercased() == "b", !(note == "b" && weight == 1.5), isSent == false,
      !(weight == 1.5 || size < 4), size.in(1...4),
    ]
  }

  mutating func condition(_ depth: Int) -> MagicPredicate<Model> {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 8), using: &random) {
    case 0: return number() == Int.random(in: -2...6, using: &random)
    case 1: return number() > Int.random(in: -2...6, using: &random)
    case 2:
      return text() == ["a", "ab", "abx", "none", "b", "B"].randomElement(using: &random) ?? ""
    case 3: return Self.conditions.randomElement(using: &random) ?? (Self.size > 2)
    case 4: return !condition(depth - 1)
    case 5: return condition(depth - 1) || condition(depth - 1)
    default: return condition(depth - 1) && condition(depth - 1)
    }
  }

  mutating func number() -> MagicExpression<Model, Int> {
    Self.numbers.randomElement(using: &random) ?? Self.size
  }

  private mutating func text() -> MagicExpression<Model, String> {
    Self.texts.randomElement(using: &random) ?? Self.title
  }
}

/// Random queries find the same rows with and without indexes over their expressions.
@Suite(.everyEngine) struct ComputedIndexDifferentialTests {
  @Test(arguments: 1...3) func indexesDoNotChangeResults(_ seed: UInt64) throws {
    let store = try MagicObjectStore.onTestedEngine(.temporary)
    var random = SeededRandom(seed)
    for _ in 0..<60 {
      let title = ["a", "A", "ab", "aB", "b", ""].randomElement(using: &random) ?? ""
      let note = [nil, "b", "B", "c"].randomElement(using: &random) ?? nil
      let size = Int.random(in: -2...6, using: &random)
      let weight = [nil, 0.5, 1.5, 0].randomElement(using: &random) ?? nil
      let isSent = Bool.random(using: &random)
      try store.update(PlainParcel(title, note, size, weight, isSent))
      try store.update(IndexedParcel(title, note, size, weight, isSent))
    }
    var plain = ParcelQuery<PlainParcel>(random: SeededRandom(seed))
    var indexed = ParcelQuery<IndexedParcel>(random: SeededRandom(seed))
    // The row IDs of the types are different on some engines.
    let plainIDs = try store.object(of: PlainParcel.self).map(\.zIndex)
    let indexedIDs = try store.object(of: IndexedParcel.self).map(\.zIndex)
    for _ in 0..<150 {
      let (condition, order) = (plain.condition(2), plain.number())
      let expected = try store.query(PlainParcel.self).where(condition).order { _ in order }.select
      { $0.zIndex }.all()
      let (same, sameOrder) = (indexed.condition(2), indexed.number())
      let query = store.query(IndexedParcel.self).where(same).order { _ in sameOrder }
      let found = try query.select { $0.zIndex }.all()
      #expect(
        found.map { id in indexedIDs.firstIndex { $0 == id } }
          == expected.map { id in plainIDs.firstIndex { $0 == id } })
    }
  }
}
