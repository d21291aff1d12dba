import EngineConformance
import MagicSQLite
import MagicStore
import MagicTestSupport
import Testing

/// `MagicIndex(…, .unique)` is `MagicIndex(…, isUnique: true)`.
@Suite struct UniqueIndexTests {
  let scratch = Scratch()

  struct Seat: MagicObject {
    @MagicValue var row = 0
    @MagicValue var number = 0
    @MagicValue var show = 0
    @MagicValue var code = 0
    init() {}
    init(_ row: Int, _ number: Int, _ show: Int, _ code: Int) {
      (self.row, self.number, self.show, self.code) = (row, number, show, code)
    }

    static var indexes: [MagicIndex<Seat>] {
      [
        MagicIndex(\.$code, .unique), MagicIndex(\.$row, \.$code, .unique),
        MagicIndex(\.$row, \.$number, \.$show, .unique),
      ]
    }
  }

  @Test func equalValuesInAllPropertiesAreRefused() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: [Seat(1, 1, 1, 1), Seat(1, 1, 2, 2), Seat(1, 2, 1, 3)])
      for twin in [Seat(2, 2, 2, 3), Seat(1, 1, 2, 4)] {
        let error = #expect(throws: MagicError.self) { try store.update(twin) }
        #expect(error?.code == .notUnique)
      }
    }
    #expect(
      try scratch.raw().integer(
        "SELECT count(*) FROM pragma_index_list('Seat') WHERE \"unique\"") == 3)
  }
}
