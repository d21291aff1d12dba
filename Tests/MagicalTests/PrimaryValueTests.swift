import Foundation
import Magical
import Testing

@Suite struct PrimaryValueTests {
  @Test func textAndIdentifiersHaveRandomDefaults() {
    let texts = Set((0..<100).compactMap { _ in String.makePrimaryValue() })
    #expect(texts.count == 100)
    #expect(texts.allSatisfy { UUID(uuidString: $0)?.uuidString == $0 })
    #expect(Set((0..<100).compactMap { _ in UUID.makePrimaryValue() }).count == 100)
  }

  @Test func integersAreAssignedByTheDatabaseAndReadZeroBefore() {
    #expect(Int.makePrimaryValue() == nil)
    #expect(Int._unassigned == 0)
    #expect(String._unassigned == nil)
    #expect(UUID._unassigned == nil)
  }

  @Test func otherIntegersHaveNoDefault() {
    func hasNone<Value: MagicalPrimaryValue>(_ type: Value.Type) -> Bool {
      Value.makePrimaryValue() == nil && Value._unassigned == nil
    }
    #expect(hasNone(Int8.self) && hasNone(Int16.self) && hasNone(Int32.self))
    #expect(hasNone(Int64.self))
    #expect(hasNone(UInt8.self) && hasNone(UInt16.self) && hasNone(UInt32.self))
  }
}
