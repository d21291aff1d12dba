import Foundation
import MagicEngine
import MagicSchema
import Magical

/// Arrays and sets of values, which are stored as JSON. The database reads the JSON of each row: no
/// index is used. Objects may be `Codable` too, so the overloads for members are preferred.
extension MagicExpression where Value: MagicJSONValues {
  /// Whether a value is an element; false for nil. Texts and numbers are compared by their values,
  /// other values by their JSON.
  @_disfavoredOverload
  public func contains(_ element: Value.Element) -> MagicPredicate<Model> {
    guard Value.Element.self != UInt8.self else { return MagicPredicate(Self.bytes) }
    do {
      let json = try JSONColumn.encode(element)
      return MagicPredicate(
        .function(
          .jsonContains, untyped, QueryExpression(.text(String(decoding: json, as: UTF8.self)))))
    } catch {
      return MagicPredicate(QueryExpression(error))
    }
  }

  /// The number of elements; nil for nil.
  @_disfavoredOverload
  public var count: MagicExpression<Model, Value.Count> {
    guard Value.Element.self != UInt8.self else {
      return MagicExpression<Model, Value.Count>(Self.bytes)
    }
    return MagicExpression<Model, Value.Count>(.function(.jsonCount, untyped))
  }

  /// Whether there is no element; false for nil.
  @_disfavoredOverload
  public var isEmpty: MagicPredicate<Model> {
    guard Value.Element.self != UInt8.self else { return MagicPredicate(Self.bytes) }
    return MagicPredicate(
      .comparison(.equal, .function(.jsonCount, untyped), QueryExpression(.integer(0))))
  }

  package static var bytes: QueryExpression {
    QueryExpression(
      MagicError(
        .invalidQuery,
        "An array of UInt8 is stored as bytes, not as JSON, so a query cannot search its elements.")
    )
  }
}
