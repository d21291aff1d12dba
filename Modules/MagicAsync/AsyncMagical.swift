import MagicRuntime
package import MagicSchema
public import Magical

/// An object or a collection of objects that is fetched when it is asked for, not with its owner.
///
/// ```swift
/// @MagicValue var keeper: AsyncMagical<Person>
/// @MagicValue var collected: AsyncMagical<[Song]> = .init(value: [])
/// ```
///
/// In the file it is what the same property is without it, so that one can become the other.
/// Fetching an owner asks and makes nothing for it. Each ``get()`` reads again; what it returns is
/// saved by itself, not with the owner. What ``set(_:)`` puts in stays in memory, for all copies of
/// the owner and of this value, until the owner is saved with it; then it is let go of, and the
/// database is asked again.
///
/// It keeps its store open: also when every handle has been let go of. A store that is closed, by
/// `close()` of its last handle, throws `.closed`.
public struct AsyncMagical<Content: Magical & Sendable>: Sendable {
  package let reference: LazyReference

  package init(_ reference: LazyReference) { self.reference = reference }

  /// With a value in memory, for a property to be given it.
  public init(value: Content) {
    reference = .box(LazyBox(value))
  }

  /// Sets the value, in memory, for all copies of this one and of the object that has it.
  ///
  /// It is saved with that object. Assigning the property another value that has it does the same.
  public func set(_ value: Content) { setContent(value) }
}

extension AsyncMagical: LazyValue {}

extension AsyncMagical: CustomStringConvertible {
  /// The type: what is behind it may be in a database.
  public var description: String { "AsyncMagical<\(Content.self)>" }
}

/// A lazy value is a property's, and no value of a column by itself.
extension AsyncMagical: Magical {
  /// What the column has that a plain value has.
  public typealias StoredValue = Content.StoredValue

  /// Throws always.
  public var storedValue: Content.StoredValue {
    get throws { throw MagicalError.cannotEncode(Self.reason) }
  }

  /// Throws always.
  public init(storedValue: Content.StoredValue) throws {
    throw MagicalError.cannotDecode(Self.reason)
  }

  /// Throws always.
  public static func _column(from reader: borrowing some MagicalReader) throws -> Self {
    throw MagicalError.cannotDecode(Self.reason)
  }

  /// It is fetched when it is asked for.
  @inlinable public static var _packing: _MagicalPacking { .lazy }

  /// A way to the property of a fetched row.
  public static func _unpack(_ value: _MagicalPackedValue) -> Self {
    let row = PackedRow(address: UnsafeMutableRawPointer(mutating: value.row))
    return Self(.place(row.property((value.slot - value.row) / _MagicalPackedValue.slotSize)))
  }

  private static var reason: String { "a value that is fetched when it is asked for has no column" }
}
