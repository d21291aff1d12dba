import Foundation
import MagicTestSupport
import Magical
import Testing

@Suite struct BytesTests {
  @Test func dataAndByteArraysAreStoredUnchanged() throws {
    let bytes: [UInt8] = [0, 1, 0x7f, 0x80, 0xff, 0]
    #expect(try StoredCell(storing: Data(bytes)) == .blob(bytes))
    #expect(try StoredCell(storing: bytes) == .blob(bytes))
    #expect(try roundTrip(Data(bytes)) == Data(bytes))
    #expect(try roundTrip(bytes) == bytes)
  }

  @Test func emptyDataIsAnEmptyBlobAndNotNull() throws {
    #expect(try StoredCell(storing: Data()) == .blob([]))
    #expect(try StoredCell(storing: [UInt8]()) == .blob([]))
    #expect(try roundTrip(Data()) == Data())
    #expect(try roundTrip([UInt8]()) == [])
  }

  @Test func onlyTheBytesOfADataSliceAreStored() throws {
    let slice = Data([1, 2, 3, 4])[1..<3]
    #expect(try StoredCell(storing: slice) == .blob([2, 3]))
    #expect(try roundTrip(slice) == Data([2, 3]))
  }

  @Test func aMebibyteIsReadUnchanged() throws {
    var random = SeededRandom(20)
    let bytes = (0..<1_048_576).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    #expect(try roundTrip(bytes) == bytes)
    #expect(try roundTrip(Data(bytes)) == Data(bytes))
  }

  @Test(arguments: [StoredCell.null, .integer(1), .real(1), .text("a")])
  func anotherStorageClassIsNotABlob(_ cell: StoredCell) {
    #expect(throws: MagicalError.self) { try cell.load(Data.self) }
    #expect(throws: MagicalError.self) { try cell.load([UInt8].self) }
    #expect(throws: MagicalError.self) { try cell.load([String].self) }
  }
}
