import MagicEngine

/// An expression of a text, before the names in it are resolved.
struct TextNode {
  let form: Form
  /// The number of Unicode scalars before the expression.
  let position: Int
  /// The number of levels of the expression.
  let depth: Int

  indirect enum Form {
    case constant(TextConstant)
    case path(TextPath)
    case list([TextNode])
    case negative(TextNode)
    case arithmetic(ArithmeticOperator, TextNode, TextNode)
    case function(TextFunction, TextNode)
    /// The number of members of a collection that a condition selects.
    case subquery(TextPath, variable: String, TextNode)
    case and([TextNode])
    case or([TextNode])
    case not(TextNode)
    case comparison(TextRelation, TextNode, TextNode)
    case quantified(TextQuantifier, TextNode)
  }
}

/// Names of properties, each of which is a property of the object that the one before it refers to.
struct TextPath {
  /// The variable of a subquery at which the path begins; nil for the row of the predicate.
  var variable: String?
  var names: [(name: String, position: Int)] = []
  /// Whether `@count` follows.
  var isCount = false

  /// The name after a path that tests whether a text or a collection is empty.
  static let isEmpty = "isEmpty"

  /// Whether the path ends with the test of the property at an index.
  func tests(isEmptyAfter index: Int) -> Bool {
    index == names.count - 2 && names[index + 1].name == Self.isEmpty && !isCount
  }
}

/// A comparison of two operands.
struct TextRelation {
  enum Kind {
    case order(ComparisonOperator)
    case beginsWith, endsWith, contains, like, matches, isIn, between
  }

  let kind: Kind
  let ignoresCase: Bool
  /// The position of the operator.
  let position: Int
}

enum TextQuantifier {
  case any, all
  /// `NONE`
  case no
}
