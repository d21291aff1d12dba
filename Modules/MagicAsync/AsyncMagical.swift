import MagicRuntime
import MagicSchema
public import Magical

/// An object or a collection of objects that is fetched on demand, and not with its owner.
///
/// ```swift
/// @MagicValue var keeper: AsyncMagical<Person>
/// @MagicValue var collected: AsyncMagical<[Song]> = .init(value: [])
/// ```
///
/// The column or the join table has the same format as for the property without `AsyncMagical`, so
/// a property can change between the two. Fetching an owner does no work for the lazy value. Each
/// ``get()`` reads from the database. The objects that it returns are saved separately, not with
/// the owner. A value that ``set(_:)`` sets stays in memory until the owner is saved, and is shared
/// by all copies of the owner and of this lazy value. The save releases it, and later calls read
/// from the database.
///
/// A lazy value keeps its database open, even if every `MagicData` on it was deallocated. If the
/// last one was closed by `close()`, reading the value throws `.closed`.
public struct AsyncMagical<Content: Magical & Sendable>: Sendable {
  package let reference: LazyReference

  package init(_ reference: LazyReference) { self.reference = reference }

  /// Creates a lazy value in memory, to be assigned to a property.
  public init(value: Content) {
    reference = .box(LazyBox(value))
  }

  /// Sets the value in memory, for all copies of this lazy value and of the object that has it.
  ///
  /// The value is saved with that object. Assigning a new `AsyncMagical` to the property has the
  /// same effect.
  public func set(_ value: Content) { reference.set(value) }
}

extension AsyncMagical: LazyValue {}

extension AsyncMagical: CustomStringConvertible {
  /// The type. The value itself may be in a database.
  public var description: String { "AsyncMagical<\(Content.self)>" }
}

/// A lazy value belongs to a property, and is not a column value by itself.
extension AsyncMagical: Magical {
  /// The stored form of the content.
  public typealias StoredValue = Content.StoredValue

  /// Always throws.
  public var storedValue: Content.StoredValue {
    get throws { throw MagicalError.cannotEncode(Self.reason) }
  }

  /// Always throws.
  public init(storedValue: Content.StoredValue) throws {
    throw MagicalError.cannotDecode(Self.reason)
  }

  /// Always throws.
  public static func _column(from reader: borrowing some MagicalReader) throws -> Self {
    throw MagicalError.cannotDecode(Self.reason)
  }

  /// The value is fetched on demand.
  @inlinable public static var _packing: _MagicalPacking { .lazy }

  /// Creates a reference to the property of a fetched row.
  public static func _unpack(_ value: _MagicalPackedValue) -> Self {
    let row = PackedRow(address: UnsafeMutableRawPointer(mutating: value.row))
    return Self(.place(row.property((value.slot - value.row) / _MagicalPackedValue.slotSize)))
  }

  private static var reason: String { "a lazy value cannot be stored as a value by itself" }
}
