/// An operation on the rows of two selections. The result has each row once.
package enum SetOperation: Int, Sendable {
  case union, intersect, except
}

/// A selection of a set operation, which is a prepared query.
package protocol CombinableQuery: Sendable {
  var values: [QueryValue] { get }
  /// A hash of the query without its values.
  var shapeHash: Int { get }
  /// The ordinals of the types whose search indexes the query uses.
  var searched: [Int] { get }

  /// Returns whether both queries differ at most in their values.
  func hasShape(of other: any CombinableQuery) -> Bool
}

/// Selections that set operations combine, from left to right.
package final class CombinedSelections: Sendable {
  let parts: [(operation: SetOperation, query: any CombinableQuery)]

  /// - Parameter parts: the selections, each with the operation that combines it with those before it.
  ///   The operation of the first one has no effect.
  init(parts: [(operation: SetOperation, query: any CombinableQuery)]) { self.parts = parts }

  /// The values of all selections.
  var values: [QueryValue] { parts.flatMap(\.query.values) }

  /// The ordinals of the types whose search indexes the selections use.
  var searched: [Int] { parts.flatMap(\.query.searched) }

  func hash(into hasher: inout ShapeHasher) {
    for part in parts { hasher.combine([part.operation.rawValue, part.query.shapeHash]) }
  }
}

extension CombinedSelections? {
  func hasShape(of other: CombinedSelections?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.parts.count == other.parts.count
      && zip(self.parts, other.parts).allSatisfy {
        $0.operation == $1.operation && $0.query.hasShape(of: $1.query)
      }
  }
}
