import MagicEngine
import MagicQuery
import MagicSchema
import Magical

/// An expression of a text with the type of its values.
struct TextOperand {
  enum Kind {
    /// A constant, which has no expression yet.
    case constant(TextConstant)
    /// A value of a type, which may be nil.
    case value(any Magical.Type)
    /// An object.
    case object(ObjectSchema)
    /// The members of a collection.
    case members(ObjectSchema)
    /// The value of a property that is stored in a file.
    case file

    var valueType: (any Magical.Type)? { if case .value(let type) = self { type } else { nil } }
  }

  var kind: Kind
  var expression: QueryExpression
  /// The number of Unicode scalars before the operand.
  var position: Int
  /// The names of the type and of the property.
  var type: String?
  var property: String?
  /// Whether there are members, if the operand is their number.
  var existence: QueryExpression?

  init(
    _ kind: Kind, _ expression: QueryExpression = QueryExpression(tree: .null), at position: Int,
    type: String? = nil, property: String? = nil
  ) {
    self.kind = kind
    self.expression = expression
    self.position = position
    self.type = type
    self.property = property
  }

  var constant: TextConstant? { if case .constant(let constant) = kind { constant } else { nil } }

  var isNull: Bool { if case .constant(.null) = kind { true } else { false } }

  /// The type of the value; nil for an object, for members and for a constant.
  var valueType: (any Magical.Type)? { kind.valueType }

  var isText: Bool { valueType == String.self }

  func mistake(_ reason: String, at other: Int? = nil) -> TextMistake {
    TextMistake(reason, at: other ?? position, type: type, property: property)
  }
}

/// What texts need to know about types of values.
enum TextTypes {
  /// Whether the type is an integer or a floating-point number of Swift.
  static func isPlainNumber(_ type: any Magical.Type) -> Bool { isInteger(type) || isReal(type) }

  static func isInteger(_ type: any Magical.Type) -> Bool {
    type is any (BinaryInteger & Magical).Type
  }

  static func isReal(_ type: any Magical.Type) -> Bool {
    type is any (BinaryFloatingPoint & Magical).Type
  }

  static func isOrdered(_ type: any Magical.Type) -> Bool { type is any MagicalOrdered.Type }
  static func isNumeric(_ type: any Magical.Type) -> Bool { type is any MagicalNumeric.Type }
}

/// A type whose values are written in another form than they are stored.
protocol WrittenValue: Magical {
  init?(_ text: String)
  var description: String { get }
}

/// A type whose values are written as decimal numbers.
protocol WrittenAsNumber: WrittenValue {}

/// A type whose values are written as texts in quotes.
protocol WrittenAsText: WrittenValue {}

extension MagicMoney: WrittenAsNumber {}
extension MagicUUID: WrittenAsText {}
