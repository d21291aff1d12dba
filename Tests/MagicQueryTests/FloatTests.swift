import EngineConformance
import MagicQuery
import MagicTestSupport
import Testing

struct Floating: MagicObject {
  @MagicValue var key: Int = 0
  @MagicValue var f: Float = 0
  @MagicValue var g: Float = 0

  init() {}

  init(_ key: Int, _ f: Float, _ g: Float) { (self.key, self.f, self.g) = (key, f, g) }
}

@Suite(.everyEngine) struct FloatTests {
  @Test func aComputedFloatIsStoredAsTheNearestFloat() throws {
    let test = try TestStore()
    var random = SeededRandom(1)
    var objects = (0..<200).map {
      Floating($0, .random(in: -10...10, using: &random), .random(in: -1...1, using: &random))
    }
    let tiny = Float.leastNonzeroMagnitude
    objects += [Floating(200, 3 * tiny, 5 * tiny), Floating(201, .leastNormalMagnitude, -tiny)]
    objects += [Floating(202, .infinity, 1), Floating(203, 1e38, 1e38), Floating(204, 0.1, 0.2)]
    let before = objects.map { Double($0.f) + Double($0.g) }
    try test.store.update(contentsOf: objects)
    let all = test.store.query(Floating.self)
    #expect(try all.update(set: .set(\.$f, to: { $0.$f + $0.$g })) == objects.count)
    let after = try all.order(by: \.$key).select(\.$f).all()
    for (exact, stored) in zip(before, after) where exact.isFinite {
      #expect(abs(Double(stored) - exact) <= Double(stored.ulp) / 2)
      #expect(try all.where(\.$f == stored).exists())
    }
    #expect(after[202] == .infinity)
    #expect(after[204] == Float(0.1) + Float(0.2))
    #expect(code { try all.update(set: \.$f *= 1e30) } == .cannotEncode)
  }
}
