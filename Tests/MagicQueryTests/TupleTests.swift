import EngineConformance
import MagicQuery
import Testing

/// A value that counts its instances.
struct CountedName: Magical {
  final class Token: Sendable {
    nonisolated(unsafe) static var count = 0

    init() { Self.count += 1 }

    deinit { Self.count -= 1 }
  }

  let name: String
  private let token = Token()

  var storedValue: String { name }

  init(storedValue: String) { name = storedValue }
}

struct CountedRow: MagicObject {
  @MagicValue var name: CountedName = CountedName(storedValue: "")
  @MagicValue var number: Int = 0
  @MagicValue var isLast: Bool = false

  init() {}

  init(_ number: Int) {
    name = CountedName(storedValue: "a name that is not stored inline, number \(number)")
    self.number = number
  }
}

/// Tuples of elements of different sizes, and tuples that cannot be decoded.
@Suite(.everyEngine) struct TupleTests {
  private let test: TestStore
  private var rows: MagicQuery<CountedRow, MagicObjectStore> {
    test.store.query(CountedRow.self).order(by: \.$number)
  }

  init() throws {
    test = try TestStore()
    try test.store.update(contentsOf: (1...300).map { CountedRow($0) })
  }

  @Test func elementsOfAllSizesAreDecoded() throws {
    let tuples = try rows.select {
      ($0.$isLast, $0.$number, $0.$isLast, $0.$name, $0.$isLast, $0.$number.as(Double.self))
    }
    .all()
    #expect(tuples.count == 300)
    for (index, tuple) in tuples.enumerated() {
      #expect(tuple.1 == index + 1 && tuple.3.name.hasSuffix(" \(index + 1)"))
      #expect(!tuple.0 && !tuple.2 && !tuple.4 && tuple.5 == Double(index + 1))
    }
  }

  @Test func aFailureReleasesTheElementsAndRowsBeforeIt() throws {
    let before = CountedName.Token.count
    for last in [1, 3, 200, 300] {
      // The division by zero is nil, which is no Int.
      let error = #expect(throws: MagicError.self) {
        _ = try rows.select { ($0.$name, $0.$number / ($0.$number - last), $0.$name) }.all()
      }
      #expect(error?.code == .cannotDecode)
      let place =
        "expression 2 of the query of CountedRow, which is computed from CountedRow.number"
      #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
      #expect(CountedName.Token.count == before)
    }
    #expect(try rows.select { ($0.$name, $0.$number) }.all().count == 300)
    #expect(CountedName.Token.count == before)
  }

  @Test func groupsAreOrderedByAKeyWithAList() throws {
    let rows = test.store.query(CountedRow.self)
    let counts = try rows.grouped { $0.$number.in([1, 2, 300]) }.select { $0.count }
      .order { $0.$number.in([1, 2, 300]) }.all()
    #expect(counts.map(\.value) == [297, 3])
    let other = #expect(throws: MagicError.self) {
      try rows.grouped { $0.$number.in([1, 2, 300]) }.select { $0.count }
        .order { $0.$number.in([1, 2, 301]) }.all()
    }
    #expect(other?.code == .invalidQuery)
  }
}
