/// A sum of numbers from which numbers can be removed again, without a loss of digits.
///
/// The sum of the finite numbers is an integer: a multiple of 2⁻¹⁰⁷⁴, the smallest `Double`. Its digits
/// of 32 bits are added without carries, which are propagated later, so that a number changes at most
/// three digits. Infinities are counted. So each result is the exact sum of the numbers that remain,
/// rounded once, in any order of additions and removals.
///
/// The technique is that of R. M. Neal, "Fast exact summation using small and large superaccumulators"
/// (2015).
package struct ExactSum {
  private let memory: UnsafeMutablePointer<Int64>

  /// The digits, from the lowest to the highest: 2098 bits of a `Double`, and 63 bits of carries.
  private static let digitCount = 68

  /// The memory that a sum requires. A sum whose memory is 0 has no numbers.
  package static let byteCount = (digitCount + 4) * MemoryLayout<Int64>.stride

  package init(_ memory: UnsafeMutableRawPointer) {
    self.memory = memory.bindMemory(to: Int64.self, capacity: Self.digitCount + 4)
  }

  /// The number of numbers.
  package var count: Int64 {
    get { memory[Self.digitCount] }
    nonmutating set { memory[Self.digitCount] = newValue }
  }

  private var infinities: Int64 {
    get { memory[Self.digitCount + 1] }
    nonmutating set { memory[Self.digitCount + 1] = newValue }
  }

  private var negativeInfinities: Int64 {
    get { memory[Self.digitCount + 2] }
    nonmutating set { memory[Self.digitCount + 2] = newValue }
  }

  /// The number of changes since carries were propagated.
  private var changes: Int64 {
    get { memory[Self.digitCount + 3] }
    nonmutating set { memory[Self.digitCount + 3] = newValue }
  }

  // MARK: Changes

  /// Adds a number, or removes one that was added. The number is not NaN.
  package func add(_ number: Double, removes: Bool = false) {
    let change: Int64 = removes ? -1 : 1
    count += change
    if number.isFinite {
      // A subnormal number has the exponent of the smallest normal numbers.
      let exponent = Int(number.exponentBitPattern)
      let significand = number.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
      add(significand, at: Swift.max(exponent, 1) - 1, number.sign == .minus ? -change : change)
    } else if number > 0 {
      infinities += change
    } else {
      negativeInfinities += change
    }
  }

  /// Adds an integer, or removes one that was added.
  package func add(_ number: Int64, removes: Bool = false) {
    let change: Int64 = removes ? -1 : 1
    count += change
    add(number.magnitude, at: 1074, number < 0 ? -change : change)
  }

  private func add(_ magnitude: UInt64, at bit: Int, _ sign: Int64) {
    let (digit, shift) = (bit / 32, UInt64(bit % 32))
    let low = magnitude << shift
    memory[digit] += sign * Int64(low & 0xFFFF_FFFF)
    memory[digit + 1] += sign * Int64(low >> 32)
    // A shift by 64 bits results in 0.
    memory[digit + 2] += sign * Int64(magnitude >> (64 - shift))
    changes += 1
    if changes == 1 << 30 { propagateCarries() }
  }

  // MARK: Result

  /// The sum: 0 without numbers, infinite if it exceeds the largest `Double`, and nil if it is NaN,
  /// because there are infinities of both signs.
  package var value: Double? {
    if infinities > 0 { return negativeInfinities > 0 ? nil : .infinity }
    if negativeInfinities > 0 { return -.infinity }
    propagateCarries()
    guard memory[Self.digitCount - 1] < 0 else { return magnitude }
    negate()
    defer { negate() }
    return -magnitude
  }

  /// The sum divided by the number of numbers; nil without numbers, or if it is NaN.
  package var average: Double? { count > 0 ? value.map { $0 / Double(count) } : nil }

  /// Brings each digit into the range of 32 bits. The highest one has the sign of the sum.
  private func propagateCarries() {
    var carry: Int64 = 0
    for index in 0..<Self.digitCount - 1 {
      let digit = memory[index] + carry
      memory[index] = digit & 0xFFFF_FFFF
      carry = digit >> 32
    }
    memory[Self.digitCount - 1] += carry
    changes = 0
  }

  private func negate() {
    for index in 0..<Self.digitCount { memory[index] = -memory[index] }
    propagateCarries()
  }

  /// The sum, which is not negative, rounded to the nearest `Double`, or to the even one of two.
  private var magnitude: Double {
    guard let top = (0..<Self.digitCount).last(where: { memory[$0] != 0 }) else { return 0 }
    func digit(_ index: Int) -> UInt64 { index < 0 ? 0 : UInt64(memory[index]) }
    // The 64 highest bits, the first of which is 1.
    let pair = digit(top) << 32 | digit(top - 1)
    let shift = UInt64(pair.leadingZeroBitCount)
    let bits = pair << shift | digit(top - 2) >> (32 - shift)
    let highestBit = top * 32 + 31 - Int(shift)
    // A small sum is a multiple of the smallest Double with at most 53 bits: its own bit pattern.
    guard highestBit > 52 else { return Double(bitPattern: bits >> UInt64(63 - highestBit)) }
    let half: UInt64 = 1 << 10
    let rest = bits & (2 * half - 1)
    var significand = bits >> 11
    let isPastHalf =
      rest > half
      || rest == half
        && (significand & 1 == 1 || digit(top - 2) & ((1 << (32 - shift)) - 1) != 0
          || (0..<Swift.max(top - 2, 0)).contains { memory[$0] != 0 })
    if rest >= half, isPastHalf { significand += 1 }
    // The highest bit of the significand adds 1 to the exponent.
    let pattern = UInt64(highestBit - 52) << 52 + significand
    return Double(bitPattern: Swift.min(pattern, Double.infinity.bitPattern))
  }
}
