public import MagicRelations
public import MagicSchema

/// Lazy relationships through a join type.
extension MagicThrough {
  /// Creates a lazy array of the objects that join objects refer to, in the order in which the join
  /// objects were inserted.
  public init<Element: MagicObject, Owner, Member>(
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable,
    type: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
  ) where Value == AsyncMagical<[Element]> {
    self.init(LazyPropertyBox(type: type, file: file, line: line), TypedThrough(owner, member, nil))
  }

  /// Creates a lazy array of the objects that join objects refer to, in the order of a property of
  /// the join objects.
  public init<Element: MagicObject, Owner, Member>(
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable,
    orderedBy order: any KeyPath<Join, MagicField<Int>> & Sendable,
    type: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
  ) where Value == AsyncMagical<[Element]> {
    self.init(
      LazyPropertyBox(type: type, file: file, line: line), TypedThrough(owner, member, order))
  }

  /// Creates a lazy array with a default value.
  public init<Element: MagicObject, Owner, Member>(
    wrappedValue: AsyncMagical<[Element]>,
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable
  ) where Value == AsyncMagical<[Element]> {
    self.init(LazyPropertyBox(default: wrappedValue), TypedThrough(owner, member, nil))
  }

  /// Creates a lazy array with a default value and an order.
  public init<Element: MagicObject, Owner, Member>(
    wrappedValue: AsyncMagical<[Element]>,
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable,
    orderedBy order: any KeyPath<Join, MagicField<Int>> & Sendable
  ) where Value == AsyncMagical<[Element]> {
    self.init(LazyPropertyBox(default: wrappedValue), TypedThrough(owner, member, order))
  }

  /// Creates a lazy set of the objects that join objects refer to.
  public init<Element: MagicObject, Owner, Member>(
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable,
    type: StaticString = #function, file: StaticString = #fileID, line: UInt = #line
  ) where Value == AsyncMagical<MagicalSet<Element>> {
    self.init(LazyPropertyBox(type: type, file: file, line: line), TypedThrough(owner, member, nil))
  }

  /// Creates a lazy set with a default value.
  public init<Element: MagicObject, Owner, Member>(
    wrappedValue: AsyncMagical<MagicalSet<Element>>,
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable
  ) where Value == AsyncMagical<MagicalSet<Element>> {
    self.init(LazyPropertyBox(default: wrappedValue), TypedThrough(owner, member, nil))
  }
}
