import EngineConformance
import MagicQuery
import MagicRuntime
import MagicTestSupport
import SQLiteStore
import Testing

private struct Sample: MagicObject {
  @MagicValue var sensor: Int = 0
  @MagicValue var value: Double = 0
  @OptionMagicValue var optional: Double?

  init() {}
  init(_ sensor: Int, _ value: Double, _ optional: Double? = nil) {
    self.sensor = sensor
    self.value = value
    self.optional = optional
  }
}

/// Returns the exact sum of finite numbers, rounded once: the algorithm of `math.fsum` in Python, by
/// J. R. Shewchuk. The numbers are scaled, so that no partial sum overflows.
private func exactSum(_ values: [Double]) -> Double {
  let scale = Double(sign: .plus, exponent: -12, significand: 1)
  var partials: [Double] = []
  for value in values {
    var (x, count) = (value * scale, 0)
    for partial in partials {
      let (a, b) = abs(x) < abs(partial) ? (partial, x) : (x, partial)
      let high = a + b
      let low = b - (high - a)
      if low != 0 {
        partials[count] = low
        count += 1
      }
      x = high
    }
    partials.removeSubrange(count...)
    partials.append(x)
  }
  guard var high = partials.popLast() else { return 0 }
  while let next = partials.popLast() {
    let sum = high + next
    let low = next - (sum - high)
    high = sum
    guard low != 0 else { continue }
    // Exactly between two numbers, the lower partial sums decide.
    if let last = partials.last, (low < 0) == (last < 0), high + low * 2 - high == low * 2 {
      high += low * 2
    }
    break
  }
  return high / scale
}

/// The sum as the documentation defines it; nil if it is NaN.
private func expectedSum(_ values: [Double]) -> Double? {
  let infinities = Set(values.filter(\.isInfinite))
  return infinities.count > 1 ? nil : infinities.first ?? exactSum(values)
}

/// Sums and averages over frames whose first row moves.
@Suite(.everyEngine) struct MovingSumTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private var samples: MagicQuery<Sample, MagicObjectStore> {
    test.store.query(Sample.self).order { $0.zIndex }
  }

  @Test func anInfinityLeavesTheFrame() throws {
    let values: [Double] = [1, .infinity, 2, 3, -.infinity, 5, 7]
    try test.store.update(contentsOf: values.map { Sample(0, $0) })
    let sums = samples.select {
      (
        $0.$value.sum(over: .order(by: $0.zIndex).rows(-1...0)),
        $0.$value.average(over: .order(by: $0.zIndex).rows(-1...0)),
        $0.$value.sum(over: .order(by: $0.zIndex).rows(1...1)),
        $0.$value.sum(over: .order(by: $0.zIndex).rows(1...))
      )
    }
    let expected: [Double] = [1, .infinity, .infinity, 5, -.infinity, -.infinity, 12]
    let rows = try samples.select { $0.$value.sum(over: .order(by: $0.zIndex).rows(-1...0)) }.all()
    #expect(rows == expected)
    // The last frames of the fourth sum contain both infinities, or neither.
    #expect(throws: MagicError.self) { try sums.all() }
    let tail = try samples.where(\.$value > -.infinity).select {
      (
        $0.$value.average(over: .order(by: $0.zIndex).rows(-1...0)),
        $0.$value.sum(over: .order(by: $0.zIndex).rows(1...))
      )
    }.all()
    #expect(tail.map(\.0) == [1, .infinity, .infinity, 2.5, 4, 6])
    #expect(tail.map(\.1) == [.infinity, 17, 15, 12, 7, 0])
  }

  @Test func positionsThatNoPartitionHasAreItsEnds() throws {
    try test.store.update(contentsOf: (1...4).map { Sample(0, Double($0)) })
    let rows = try samples.select {
      let order = MagicWindow<Sample>.order(by: $0.zIndex)
      return (
        $0.$value.sum(over: order.rows(Int.min...0)), $0.$value.sum(over: order.rows(0...Int.max)),
        $0.$value.sum(over: order.rows(Int.min...Int.max)),
        $0.$value.sum(over: order.rows(Int.min...Int.min)),
        $0.$value.sum(over: order.rows((Int.max - 1)...)),
        $0.$value.lead(.max, over: order), $0.$value.lag(.max, over: order),
        $0.ntile(.max, over: order)
      )
    }.all()
    #expect(rows.map(\.0) == [1, 3, 6, 10])
    #expect(rows.map(\.1) == [10, 9, 7, 4])
    #expect(rows.map(\.2) == [10, 10, 10, 10])
    #expect(rows.map(\.3) == [0, 0, 0, 0])
    #expect(rows.map(\.4) == [0, 0, 0, 0])
    #expect(rows.allSatisfy { $0.5 == nil && $0.6 == nil })
    #expect(rows.map(\.7) == [1, 2, 3, 4])
  }

  @Test func averagesOfIntegersMoveExactly() throws {
    let large = Int(1) << 53
    try test.store.update(contentsOf: [large, 3, 1, large + 1, 4, 2].map { Sample($0, 0) })
    let averages = try samples.select {
      $0.$sensor.average(over: .order(by: $0.zIndex).rows(-1...0))
    }.all()
    #expect(averages.suffix(1) == [3] && averages[2] == 2)
  }
}

/// Random frames, on SQLite. Other engines fail if a sum exceeds the largest number.
@Suite struct MovingSumFrameTests {
  private static let values: [Double] = [
    .infinity, -.infinity, 1e308, -1e308, 1.7e308, 1e300, -1e300, 1, -1, 0.1, 0.2, -0.3, 1e16, 3,
    1e-300, -1e-290, 0.0, 123.456, -1e16,
  ]

  @Test(arguments: 1...6) func randomFramesHaveTheExactSums(_ seed: UInt64) throws {
    var random = SeededRandom(seed &+ 900)
    let store = try MagicObjectStore.open(.temporary)
    let rare = seed % 2 == 0
    let samples = (0..<120).map { _ -> Sample in
      // Infinities are rare in some data, so that most frames have other values.
      var value = Self.values.randomElement(using: &random) ?? 0
      if rare, value.isInfinite, Int.random(in: 0..<6, using: &random) > 0 { value = 2.5 }
      let isNil = Int.random(in: 0..<4, using: &random) == 0
      // Infinities of both signs have no sum, which only an optional result can show.
      let positive = value == -.infinity ? 1.5 : value
      return Sample(Int.random(in: 0..<3, using: &random), positive, isNil ? nil : value)
    }
    try store.update(contentsOf: samples)
    for _ in 0..<12 {
      let first = Int.random(in: -9...4, using: &random)
      let last = first + Int.random(in: 0...12, using: &random)
      let isOpen = Int.random(in: 0..<4, using: &random) == 0
      let rows = try store.query(Sample.self).order { $0.zIndex }.select { row in
        let window = MagicWindow<Sample>.partition(by: row.$sensor).order(by: row.zIndex)
        let frame = isOpen ? window.rows(first...) : window.rows(first...last)
        return (row.$sensor, row.$value.sum(over: frame), row.$optional.average(over: frame))
      }.all()
      for sensor in 0..<3 {
        let part = rows.filter { $0.0 == sensor }
        let own = samples.filter { $0.sensor == sensor }
        for index in part.indices {
          let end = isOpen ? part.count - 1 : Swift.min(index + last, part.count - 1)
          let start = Swift.max(index + first, 0)
          let frame = start <= end ? Array(own[start...end]) : []
          #expect(
            part[index].1 == expectedSum(frame.map(\.value)), "\(first)...\(last) \(index)")
          let optional = frame.compactMap(\.optional)
          let average = expectedSum(optional).map { $0 / Double(optional.count) }
          #expect(
            part[index].2 == (optional.isEmpty ? nil : average), "\(first)...\(last) \(index)")
        }
      }
    }
  }
}

/// The sum from which numbers are removed.
@Suite struct ExactSumTests {
  private func withSum(_ body: (ExactSum) throws -> Void) rethrows {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: ExactSum.byteCount, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: ExactSum.byteCount)
    try body(ExactSum(memory))
  }

  @Test func oneNumberIsItself() {
    let tiny = Double.leastNonzeroMagnitude
    let numbers: [Double] = [
      0, 1, -1, 0.1, tiny, -tiny, tiny * 3, .leastNormalMagnitude, .leastNormalMagnitude.nextDown,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .pi, 1e-300,
    ]
    for number in numbers {
      withSum { sum in
        sum.add(number)
        #expect(sum.value == number && sum.average == number)
        sum.add(number, removes: true)
        #expect(sum.value == 0 && sum.average == nil && sum.count == 0)
      }
    }
  }

  @Test func aSumIsRoundedToTheNearestNumberAndTiesToEven() {
    withSum { sum in
      let one = 9_007_199_254_740_992.0  // 2⁵³: the next number is 2 larger.
      sum.add(one)
      sum.add(1.0)
      #expect(sum.value == one)
      sum.add(Double.leastNonzeroMagnitude)
      #expect(sum.value == one + 2)
      sum.add(Double.leastNonzeroMagnitude, removes: true)
      sum.add(2.0)
      #expect(sum.value == one + 4)
      sum.add(-3.0)
      #expect(sum.value == one)
    }
  }

  @Test func aSumBeyondTheLargestNumberIsInfiniteUntilItReturns() {
    withSum { sum in
      sum.add(Double.greatestFiniteMagnitude)
      sum.add(Double.greatestFiniteMagnitude)
      #expect(sum.value == .infinity)
      sum.add(-Double.greatestFiniteMagnitude)
      #expect(sum.value == .greatestFiniteMagnitude)
      sum.add(Double.greatestFiniteMagnitude.ulp / 2)
      #expect(sum.value == .infinity)
      sum.add(-1.0)
      #expect(sum.value == .greatestFiniteMagnitude)
    }
  }

  @Test func integersAreExact() {
    withSum { sum in
      for _ in 0..<3 { sum.add(Int64.min) }
      sum.add(Int64.max)
      sum.add(Int64.max)
      #expect(sum.value == Double(Int64.min) - 2)
      sum.add(Int64.min, removes: true)
      sum.add(Int64.max, removes: true)
      sum.add(Int64.max, removes: true)
      sum.add(Int64.min, removes: true)
      sum.add(Int64.min, removes: true)
      #expect(sum.value == 0)
      sum.add(Int64(7))
      sum.add(Int64(-2))
      #expect(sum.value == 5 && sum.average == 2.5)
    }
  }

  @Test(arguments: 1...20) func randomSumsAreThoseOfShewchuk(_ seed: UInt64) {
    var random = SeededRandom(seed)
    withSum { sum in
      var values: [Double] = []
      for _ in 0..<400 {
        if values.count > 50 || (!values.isEmpty && Int.random(in: 0..<3, using: &random) == 0) {
          let index = Int.random(in: values.indices, using: &random)
          sum.add(values.remove(at: index), removes: true)
        } else {
          let exponent = Int.random(in: -900...1000, using: &random)
          let significand = Double.random(in: 1..<2, using: &random)
          let value = Double(
            sign: Bool.random(using: &random) ? .plus : .minus, exponent: exponent,
            significand: significand)
          values.append(value)
          sum.add(value)
        }
        #expect(sum.value == exactSum(values))
      }
    }
  }
}
