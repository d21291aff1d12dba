import MagicSchema

/// Reciprocal rank fusion: a row has the sum of 1 / (60 + rank) over the rankings that contain it.
///
/// The method and its constant are from G. V. Cormack, C. L. A. Clarke and S. Büttcher, "Reciprocal
/// Rank Fusion Outperforms Condorcet and Individual Rank Learning Methods", SIGIR 2009. It needs no
/// scores, so that rankings with scores of different kinds can be combined.
enum ReciprocalRanks {
  private static let constant = 60.0

  /// Returns the rows of all rankings with their sums, the largest sums first. Rows with equal sums
  /// are in the order of their row IDs.
  ///
  /// - Complexity: O(n log n)
  static func fuse(_ rankings: [[ZIndex]]) -> [(ZIndex, Double)] {
    var sums: [ZIndex: Double] = [:]
    for ranking in rankings {
      for (index, row) in ranking.enumerated() {
        sums[row, default: 0] += 1 / (constant + Double(index + 1))
      }
    }
    return sums.sorted {
      $0.value != $1.value ? $0.value > $1.value : $0.key.rawValue < $1.key.rawValue
    }.map { ($0.key, $0.value) }
  }
}
