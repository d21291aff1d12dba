/// The SQL about columns of vectors.
package enum VectorColumn {
  /// Returns the condition for values that are not vectors. It reads no elements.
  package static func isInvalid(_ value: String) -> String {
    "\(value) IS NOT NULL AND (typeof(\(value)) <> 'blob' OR length(\(value)) % 4 <> 0)"
  }
}
