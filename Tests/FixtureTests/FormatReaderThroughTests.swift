import Foundation
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
      func value(_ property: String, of row: Int64, _ form: String) -> JSON? {
        lines.first { $0.property == property && $0.row == row && $0.form == form }?.value
      }
      func references(_ table: String, _ rows: Int64...) -> JSON {
        .array(rows.map { .object(["table": .exact(table), "row": .integer($0)]) })
      }
      #expect(value("stations", of: 1, "through") == references("Station", 1, 2, 1))
      #expect(value("all", of: 1, "through") == references("Station", 1, 2))
      #expect(value("lines", of: 1, "inverse") == references("Line", 1))
      #expect(value("lines", of: 2, "inverse") == references("Line", 1))
      #expect(try store.verify().findings == [])
    }
  }
}
