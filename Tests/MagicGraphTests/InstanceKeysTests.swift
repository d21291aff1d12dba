import Testing

@testable import MagicGraph

/// The set of instance keys.
@Suite struct InstanceKeysTests {
  @Test func itHasTheKeysThatASetHas() {
    // Adjacent and equal keys, so that many share their first slots.
    var generator = SystemRandomNumberGenerator()
    for spread in [1, 8, 4_096] as [UInt] {
      var (keys, expected): (InstanceKeys, Set<UInt>) = ([], [])
      for _ in 0..<4_000 {
        let key = UInt.random(in: 1...300, using: &generator) * spread
        if Bool.random(using: &generator) {
          #expect(keys.insert(key) == expected.insert(key).inserted)
        } else {
          keys.remove(key)
          expected.remove(key)
        }
      }
      for key in (0...301).map({ $0 * spread }) where key > 0 {
        #expect(keys.contains(key) == expected.contains(key))
      }
    }
  }
}
