extension PreparedQuery: CombinableQuery {
  package var shapeHash: Int { shape.hashValue }

  package var searched: [Int] { shape.searched }

  package func hasShape(of other: any CombinableQuery) -> Bool {
    (other as? PreparedQuery)?.shape == shape
  }
}

extension CombinedSelections {
  /// - Parameter queries: the selections, each with the operation that combines it with those before
  ///   it. The operation of the first one has no effect.
  package convenience init(_ queries: [(operation: SetOperation, query: PreparedQuery)]) {
    self.init(parts: queries.map { ($0.operation, $0.query) })
  }

  /// The selections, from left to right.
  package var queries: [(operation: SetOperation, query: PreparedQuery)] {
    parts.compactMap { part in
      (part.query as? PreparedQuery).map { (operation: part.operation, query: $0) }
    }
  }
}
