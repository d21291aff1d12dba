import Workloads

/// The works at one size, in batches: no more than a million objects are made at once.
struct ScalingSize {
  let rows: Int

  private static let batchSize = 1_000_000

  /// The first row of each batch, and how many it has.
  var batches: [Range<Int>] {
    stride(from: 0, to: rows, by: Self.batchSize).map { $0..<min(rows, $0 + Self.batchSize) }
  }

  func people(_ batch: Range<Int>) -> [PlainPerson] {
    PlainPerson.make(batch.count, seed: 42 + UInt64(batch.lowerBound), from: batch.lowerBound)
  }

  func entries(_ batch: Range<Int>) -> [PlainEntry] {
    PlainEntry.make(batch.count, from: batch.lowerBound + 1)
  }

  /// As many members as rows, but for a rest of less than a team.
  func teams(_ batch: Range<Int>) -> [PlainTeam] {
    PlainTeam.make(
      batch.count / PlainTeam.size, seed: 43 + UInt64(batch.lowerBound),
      from: batch.lowerBound / PlainTeam.size)
  }

  /// Of a batch's people so many that all batches have as many as are looked up.
  func ids(_ batch: Range<Int>, of people: [PlainPerson]) -> [String] {
    let count = ScalingMeasure.lookUp.operations(rows)
    return Sample.ids(count * batch.count / rows, of: people)
  }
}
