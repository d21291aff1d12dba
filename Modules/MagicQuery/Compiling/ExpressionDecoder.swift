import MagicSchema

/// Goes through an expression's code.
struct ExpressionDecoder {
  private let words: [Int]
  private var position = 0

  init(_ code: ExpressionCode) { words = code.words }

  var isAtEnd: Bool { position == words.count }

  mutating func next() throws -> Int {
    guard position < words.count else { throw Self.malformed }
    defer { position += 1 }
    return words[position]
  }

  mutating func operation() throws -> Operation {
    guard let operation = Operation(rawValue: try next()) else { throw Self.malformed }
    return operation
  }

  /// What is behind ``Operation/column``.
  mutating func place() throws -> ColumnPlace {
    let scope = try next()
    let type = try next()
    let count = try next()
    return ColumnPlace(scope: scope, type: type, steps: try (0..<count).map { _ in try next() })
  }

  static var malformed: MagicError {
    MagicError(.invalidQuery, "An expression makes no sense where it is used.")
  }
}

/// Where a column is: in whose row, and over which to-ones.
struct ColumnPlace {
  let scope: Int
  /// The row's type, by its ordinal.
  let type: Int
  let steps: [Int]
}
