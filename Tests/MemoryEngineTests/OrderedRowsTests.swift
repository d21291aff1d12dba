import Testing

@testable import MemoryEngine

@Suite struct OrderedRowsTests {
  private func rows(_ rowIDs: some Sequence<Int64>) -> OrderedRows {
    var rows = OrderedRows()
    for rowID in rowIDs { rows.insert(StoredRow(rowID: rowID, values: [.integer(rowID)])) }
    return rows
  }

  @Test func rowsAreInTheOrderOfTheirRowIDs() {
    let rowIDs = (0..<2_000).map { Int64($0) }
    for order in [rowIDs, rowIDs.reversed(), rowIDs.shuffled()] {
      let rows = rows(order)
      #expect(rows.count == 2_000)
      #expect(rows.all.map(\.rowID) == rowIDs)
      #expect(rows[1_234]?.rowID == 1_234)
      #expect(rows[2_000] == nil)
      #expect(rows.behind(999).map(\.rowID) == Array(rowIDs[1_000...]))
    }
  }

  @Test func removedRowsAreGone() {
    var rows = rows(0..<1_000)
    for rowID in (0..<1_000).shuffled() where rowID % 3 != 0 { rows.remove(Int64(rowID)) }
    #expect(rows.all.map(\.rowID) == stride(from: 0, to: 1_000, by: 3).map { $0 })
    #expect(rows.count == 334)
    for rowID in rows.all.map(\.rowID) { rows.remove(rowID) }
    #expect(rows.count == 0)
    #expect(rows.behind(0).map(\.rowID).isEmpty)
  }

  @Test func aCopyKeepsItsRows() {
    var rows = rows(0..<600)
    let copy = rows
    rows.remove(3)
    rows.update(5) { $0[0] = .null }
    rows.insert(StoredRow(rowID: 900, values: []))
    #expect(copy.count == 600)
    #expect(copy[3] != nil)
    #expect(copy[5]?.values == [.integer(5)])
    #expect(copy[900] == nil)
  }
}
