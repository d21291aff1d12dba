import MagicRelations
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The reader of the format reads collections through a join type.
@Suite(.enabled(if: FormatReader.hasPython, "The reader needs python3 on the PATH."))
struct FormatReaderThroughTests {
  struct Station: MagicObject {
    @MagicValue var name: String = ""
    @ReverseMagicValue(\Line.$stations) var lines: AsyncReverseMagicSet<Line>

    init() {}
    init(_ name: String) { self.name = name }
  }

  struct Line: MagicObject {
    @MagicThrough(\Stop.$line, \Stop.$station, orderedBy: \.$place) var stations: [Station]
    @MagicThrough(\Stop.$line, \Stop.$station) var all: MagicalSet<Station>

    init() {}
  }

  struct Stop: MagicObject {
    @MagicValue(.named("of"), .onDelete(.cascade)) var line: Line
    @OptionMagicValue var station: Station?
    @MagicValue(.named("n")) var place: Int = 0

    init() {}
  }

  @Test func membersAndOwnersAreRead() throws {
    try withTemporaryDirectory { directory throws in
      let file = directory.appendingPathComponent("through.sqlite3")
      let store = try MagicObjectStore.open(.file(file.path))
      defer { store.close() }
      let line = Line()
      let stations = ["a", "b"].map(Station.init)
      line.stations = [stations[1], stations[0], stations[1]]
      try store.update(line)
      let stop = Stop()
      stop.line = line
      try store.update(stop)
      let lines = try FormatReader.lines(of: file)
        .filter { $0.contains("\"through\"") || $0.contains("\"inverse\"") }
      let refs = { (table: String, rows: [Int]) in
        rows.map { "{\"table\": \"\(table)\", \"row\": \($0)}" }.joined(separator: ", ")
      }
      let head = "{\"table\": \"Line\", \"row\": 1, \"type\": \"Line\", \"property\": "
      #expect(
        Set(lines)
          == [
            head + "\"all\", \"form\": \"through\", \"value\": [\(refs("Station", [1, 2]))]}",
            head
              + "\"stations\", \"form\": \"through\", \"value\": [\(refs("Station", [1, 2, 1]))]}",
          ].union(
            [1, 2].map {
              "{\"table\": \"Station\", \"row\": \($0), \"type\": \"Station\", \"property\": \"lines\", "
                + "\"form\": \"inverse\", \"value\": [\(refs("Line", [1]))]}"
            }))
      #expect(try store.verify().findings == [])
    }
  }
}
