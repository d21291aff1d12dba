import MagicEngine
import MagicRuntime
import MagicSchema

/// The element of JSON for which a condition is computed.
final class CurrentElement {
  var json: UnsafeRawBufferPointer?
}

extension QueryCompiler {
  /// A function of the elements of a JSON array.
  mutating func elements(
    _ function: MemberFunction, _ json: ExpressionTree, _ predicate: MemberPredicate
  ) throws -> Computation {
    let json = try compile(json)
    let current = CurrentElement()
    elements.append((predicate.scope, current))
    defer { elements.removeLast() }
    let condition = try compile(predicate.condition)
    guard function == .exists || function == .count else { throw MagicError.malformedQuery }
    return { frame in
      let value = try json(frame)
      defer { current.json = nil }
      var count: Int64 = 0
      if let bytes = value.stored?.bytes {
        var place = JSONScanner.element(after: nil, in: bytes)
        while let start = place {
          current.json = JSONScanner.element(at: start, in: bytes)
          if try condition(frame).isTrue { count += 1 }
          place = JSONScanner.element(after: start, in: bytes)
        }
      }
      return function == .count ? .integer(count) : StoredValue(count > 0)
    }
  }

  /// The value of an element.
  func element(_ id: RowScopeID, _ kind: JSONKind) throws -> Computation {
    if id == joinedElements {
      return { StoredValue($0.element?.json.flatMap { JSONValue($0).value(of: kind) }) }
    }
    guard let current = elements.last(where: { $0.id == id })?.current else {
      throw MagicError(.invalidQuery, "An element of a query is used outside its closure.")
    }
    return { _ in StoredValue(current.json.flatMap { JSONValue($0).value(of: kind) }) }
  }
}
