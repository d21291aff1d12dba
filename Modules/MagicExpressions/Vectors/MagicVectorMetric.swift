package import MagicRuntime

/// How the distance of two vectors is computed. A smaller distance is nearer.
public enum MagicVectorMetric: Sendable, Hashable, CaseIterable {
  /// The length of the difference of the vectors (L2), from 0.
  case euclidean
  /// One minus the cosine of the angle between the vectors, from 0 for the same direction to 2 for
  /// opposite directions. A vector of zeros has no direction: its distance is infinite.
  case cosine
  /// The negated dot product. For vectors of length 1 the order is that of the cosine, and it is
  /// computed in less time.
  case dotProduct

  package var stored: VectorMetric {
    switch self {
    case .euclidean: .euclidean
    case .cosine: .cosine
    case .dotProduct: .dotProduct
    }
  }
}
