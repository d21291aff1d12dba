public import Foundation
public import Magical
import MagicSchema

/// A set is the value of a property, and is stored as links to rows; it has no value for a column.
extension MagicalSet: Magical {
  /// Throws always.
  public var storedValue: Data { get throws { throw MagicalError.cannotEncode(Self.reason) } }

  /// Throws always.
  public init(storedValue: Data) throws { throw MagicalError.cannotDecode(Self.reason) }

  private static var reason: String { "a set of objects is stored as links, not as a value" }
}
