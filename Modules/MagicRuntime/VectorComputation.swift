import CMagicRuntime

/// How the distance of two vectors is computed. An engine may use the raw values in its statements.
package enum VectorMetric: Int, Sendable {
  case euclidean, cosine, dotProduct
}

/// Distances of vectors, which are stored as four bytes for each number.
package enum VectorComputation {
  /// Returns the distance of two vectors; infinite if one of them is empty, if their numbers of
  /// elements differ, if the bytes are not whole numbers, or if the result is not a number.
  ///
  /// - Complexity: O(n), with single precision, or with double precision if a sum is outside of the range
  ///   of `Float`.
  package static func distance(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ metric: VectorMetric
  ) -> Double {
    let size = MemoryLayout<Float>.size
    guard left.count == right.count, left.count % size == 0, !left.isEmpty,
      let start = left.baseAddress, let other = right.baseAddress
    else { return .infinity }
    let metric =
      switch metric {
      case .euclidean: magic_vector_euclidean
      case .cosine: magic_vector_cosine
      case .dotProduct: magic_vector_dot_product
      }
    return magic_vector_distance(start, other, left.count / size, metric)
  }
}
