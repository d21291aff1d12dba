import MagicEngine
import MagicSchema
import Magical

/// A constant of a text, before it has the type of a property.
enum TextConstant {
  case null
  case bool(Bool)
  /// The digits of a number.
  case number(String)
  case text(String)
  /// An argument that is not nil.
  case argument(Any)
  /// A value in its stored form, from an encoded predicate.
  case stored(QueryValue)

  init(argument: Any?) {
    switch argument {
    case nil: self = .null
    case let optional as any OptionalArgument: self = TextConstant(argument: optional.wrapped)
    case let value?: self = .argument(value)
    }
  }

  /// The elements of a list; nil if the constant is not a list.
  var elements: [TextConstant]? {
    switch self {
    case .stored(.list(let values)): return values.map { .stored($0) }
    case .argument(let value):
      guard !(value is String), let list = value as? any ListArgument else { return nil }
      return list.constants
    default: return nil
    }
  }

  /// The text that is the name of a property, for `%K`.
  var name: String? {
    switch self {
    case .text(let text): text
    case .argument(let value): value as? String
    case .null, .bool, .number, .stored: nil
    }
  }
}

private protocol OptionalArgument { var wrapped: Any? { get } }
extension Optional: OptionalArgument { var wrapped: Any? { map { $0 as Any } } }

private protocol ListArgument { var constants: [TextConstant] { get } }
extension Array: ListArgument {
  var constants: [TextConstant] { map { TextConstant(argument: $0) } }
}
extension Set: ListArgument {
  var constants: [TextConstant] { map { TextConstant(argument: $0) } }
}

/// The arguments of a text.
struct TextArguments {
  private let positional: [TextConstant]
  private let named: [String: Any?]
  private var used: Int = 0
  private var usedNames: Set<String> = []
  private var next = 0

  init(_ positional: [Any?], named: [String: Any?] = [:]) {
    self.positional = positional.map { TextConstant(argument: $0) }
    self.named = named
  }

  /// Creates the arguments of an encoded predicate.
  init(stored: [QueryValue]) {
    positional = stored.map { $0.isNull ? .null : .stored($0) }
    named = [:]
  }

  /// Returns the argument for the next `%`.
  mutating func following(_ letter: Character, at position: Int) throws -> TextConstant {
    defer { next += 1 }
    let constant = try argument(next, at: position)
    guard letter != "@", letter != "K" else { return constant }
    guard case .argument(let value) = constant else {
      throw TextMistake("The argument for this % is not a number. Use %@.", at: position)
    }
    let matches =
      switch letter {
      case "f": value is any BinaryFloatingPoint || value is any BinaryInteger
      case "s": value is String
      default: value is any BinaryInteger
      }
    guard matches else {
      throw TextMistake("The argument for this % has another type. Use %@.", at: position)
    }
    return constant
  }

  /// Returns the argument with a number.
  mutating func argument(_ index: Int, at position: Int) throws -> TextConstant {
    guard index < positional.count else {
      throw TextMistake(
        "There is no argument for this position. There are \(positional.count).", at: position)
    }
    used = max(used, index + 1)
    return positional[index]
  }

  /// Returns the argument with a name.
  mutating func argument(_ name: String, at position: Int) throws -> TextConstant {
    guard let argument = named[name] else {
      throw TextMistake("There is no argument with this name.", at: position)
    }
    usedNames.insert(name)
    return TextConstant(argument: argument)
  }

  func checkAllUsed() throws {
    guard used == positional.count else {
      throw TextMistake(
        "The text uses \(used) of \(positional.count) arguments.", at: 0)
    }
    if let name = named.keys.filter({ !usedNames.contains($0) }).min() {
      throw TextMistake("The text does not use the named argument \(name).", at: 0)
    }
  }
}
