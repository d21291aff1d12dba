import MagicEngine
import MagicQuery
import MagicRuntime
import MagicSchema
import Magical

/// Elements of arrays and sets that are stored as JSON.
extension TextOperand {
  /// The type of the elements, and the kind of their JSON; nil if the operand is not an array or set
  /// that is stored as JSON.
  ///
  /// - Throws: a mistake if the elements cannot be compared.
  var elements: (type: any Magical.Type, kind: JSONKind)? {
    get throws {
      guard let type = valueType as? any MagicJSONValues.Type, valueType != [UInt8].self else {
        return nil
      }
      guard let element = Self.element(of: type), let kind = Self.jsonKind(of: element) else {
        throw mistake("The elements of this type cannot be compared in the database.")
      }
      return (element, kind)
    }
  }

  private static func element<Values: MagicJSONValues>(
    of type: Values.Type
  ) -> (any Magical.Type)? { Values.Element.self as? any Magical.Type }

  private static func jsonKind<Element: Magical>(of type: Element.Type) -> JSONKind? {
    ValueForm(type).jsonKind(type)
  }

  /// Returns whether there is an element for which a condition is true; nil if the operand has no
  /// elements.
  func hasElement(
    _ condition: (TextOperand) throws -> QueryExpression
  ) throws -> QueryExpression? {
    guard let (type, kind) = try elements else { return nil }
    let scope = RowScopeID.newMember()
    var element = self
    element.kind = .value(type)
    element.expression = QueryExpression(tree: .element(scope, kind))
    return .elements(.exists, of: expression, matching: scope, try condition(element))
  }

  /// The number of elements; nil if the operand has none.
  var elementCount: TextOperand? {
    get throws {
      guard valueType is any MagicJSONValues.Type, valueType != [UInt8].self else { return nil }
      var count = self
      count.kind = .value(Int.self)
      count.expression = .function(.jsonCount, expression)
      return count
    }
  }
}
