/// A row with a vector.
public struct PlainPassage: Sendable {
  /// The number of the passage.
  public var number: Int
  /// The numbers of the vector, from 0 to 1.
  public var vector: [Float]

  /// The number of elements of each vector.
  public static let dimensions = 384

  /// Creates passages with consecutive numbers.
  public static func make(_ count: Int) -> [PlainPassage] {
    var random = SplitMix(state: 17)
    return (0..<count).map { PlainPassage(number: $0, vector: vector(&random)) }
  }

  /// Creates vectors to search for.
  public static func searches(_ count: Int) -> [[Float]] {
    var random = SplitMix(state: 23)
    return (0..<count).map { _ in vector(&random) }
  }

  private static func vector(_ random: inout SplitMix) -> [Float] {
    (0..<dimensions / 2).flatMap { _ in
      let bits = random.next()
      return [Float(bits >> 40) / 16_777_216, Float(bits & 0xFF_FFFF) / 16_777_216]
    }
  }
}
