import Foundation
import Magical
import Testing

private enum Kind: Int, Magical { case small, large }
private enum Payload: MagicalCodable { case text(String) }
private struct Identifier: RawRepresentable, Magical { var rawValue: UUID }
private struct Celsius: Magical {
  let storedValue: Double
  init(storedValue: Double) { self.storedValue = storedValue }
}

@Suite struct PackingTests {
  @Test func valuesOfAtMostEightBytesAreInTheirSlot() {
    #expect(Int.self._packing == .inline)
    #expect(Bool.self._packing == .inline)
    #expect(Float.self._packing == .inline)
    #expect(Date.self._packing == .inline)
    #expect(Kind.self._packing == .inline)
    #expect(Celsius.self._packing == .inline)
  }

  @Test func textsBlobsIdentifiersAndDecimalsAreAfterTheSlots() {
    #expect(String.self._packing == .bytes)
    #expect(Data.self._packing == .bytes)
    #expect(UUID.self._packing == .bytes)
    #expect([UInt8].self._packing == .bytes)
    #expect(Decimal.self._packing == .bytes)
  }

  @Test func otherValuesAreInAnObject() {
    #expect(URL.self._packing == .object)
    #expect([Int8].self._packing == .object)
    #expect(Set<Int>.self._packing == .object)
    #expect(Payload.self._packing == .object)
    #expect(Identifier.self._packing == .object)
  }
}
