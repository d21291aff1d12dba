public import Foundation
public import Magical
import MagicSchema

/// A set of objects is the value of a property, but not of a column: it is stored as rows of a join
/// table.
extension MagicalSet: Magical {
  /// Always throws: a set is not stored in a column.
  public var storedValue: Data { get throws { throw MagicalError.cannotEncode(Self.reason) } }

  /// Always throws: a set is not stored in a column.
  public init(storedValue: Data) throws { throw MagicalError.cannotDecode(Self.reason) }

  private static var reason: String {
    "a set of objects is stored in a join table, not in a column"
  }
}
