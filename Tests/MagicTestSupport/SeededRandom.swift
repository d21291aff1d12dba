public import Foundation

/// Random numbers that are the same for the same seed (SplitMix64).
public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Creates the numbers of a seed.
  public init(_ seed: UInt64) { state = seed &* 0xD134_2543_DE82_EF95 }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SeededRandom {
  /// A number from 0 to a limit, which is excluded.
  public mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// A number of random bytes.
  public mutating func data(count: Int) -> Data {
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: next()) { data.append(contentsOf: $0) } }
    return data.prefix(count)
  }
}
