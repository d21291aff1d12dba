import Workloads

/// The works at one size, in batches of at most a million objects.
struct ScalingSize {
  let rows: Int

  private static let batchSize = 1_000_000

  /// The rows of each batch.
  var batches: [Range<Int>] {
    stride(from: 0, to: rows, by: Self.batchSize).map { $0..<min(rows, $0 + Self.batchSize) }
  }

  func people(_ batch: Range<Int>) -> [PlainPerson] {
    PlainPerson.make(batch.count, seed: 42 + UInt64(batch.lowerBound), from: batch.lowerBound)
  }

  func entries(_ batch: Range<Int>) -> [PlainEntry] {
    PlainEntry.make(batch.count, from: batch.lowerBound + 1)
  }

  /// The teams of a batch, with as many members as rows, rounded down to complete teams.
  func teams(_ batch: Range<Int>) -> [PlainTeam] {
    PlainTeam.make(
      batch.count / PlainTeam.size, seed: 43 + UInt64(batch.lowerBound),
      from: batch.lowerBound / PlainTeam.size)
  }

  /// The IDs to look up of a batch; all batches together have the required number.
  func ids(_ batch: Range<Int>, of people: [PlainPerson]) -> [String] {
    let count = ScalingMeasure.lookUp.operations(rows)
    return Sample.ids(count * batch.count / rows, of: people)
  }
}
