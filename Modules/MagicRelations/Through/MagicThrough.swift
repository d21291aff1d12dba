public import MagicSchema
public import Magical

/// A collection of objects whose join rows are objects of a type of their own, the join type.
///
/// ```swift
/// struct Workout: MagicObject {
///   @MagicValue var title: String
///   @MagicThrough(\WorkoutEntry.$workout, \WorkoutEntry.$exercise, orderedBy: \.$position)
///   var exercises: [Exercise]
///
///   init() {}
/// }
/// ```
///
/// The property is an array or a ``MagicalSet``, or an `AsyncMagical` of one of them. It has no
/// table of its own: its members are the objects that the second to-one of the join objects refers
/// to. The type of the members can declare the same relationship from its side.
///
/// A save of the owner inserts a join object for each new member, deletes the join objects of
/// removed members, and changes the order of moved ones. Other properties of a new join object have
/// their default values; one without a default makes the save throw `.missingValue`. The join
/// objects of the other members are unchanged. Only the differences from what was fetched are
/// written.
///
/// The collection of a new object is empty. The collection of an `AsyncMagical` has no value until
/// it is set.
@propertyWrapper
public struct MagicThrough<Join: MagicObject, Value: Magical & Sendable>: Sendable {
  private let property: MagicValue<Value>

  package init(_ box: AnyPropertyBox, _ relationship: @autoclosure () -> TypedThrough<Join>) {
    property = MagicValue(reference: PropertyReference(box: box))
    Reflector.note(of: property.reference) { relationship() }
  }

  /// The members.
  public var wrappedValue: Value {
    get { property.wrappedValue }
    nonmutating set { property.wrappedValue = newValue }
    nonmutating _modify { yield &property.wrappedValue }
  }

  /// The property itself, for queries: `$0.$exercises.count`.
  public var projectedValue: MagicField<Value> { property.projectedValue }
}

extension MagicThrough {
  /// Creates an empty array of the objects that join objects refer to, in the order in which the
  /// join objects were inserted.
  ///
  /// - Parameters:
  ///   - owner: a key path to the to-one of the join type that refers to the type that declares
  ///     this property. The to-ones may be optional or lazy. If a key path refers to another type
  ///     or to no to-one, the first use of the type throws ``MagicError/Code/invalidSchema``.
  ///   - member: a key path to the to-one of the join type that refers to the member.
  public init<Element: MagicObject, Owner, Member>(
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable
  ) where Value == [Element] {
    self.init(RelationshipBox<Value>([], isChanged: false), TypedThrough(owner, member, nil))
  }

  /// Creates an empty array of the objects that join objects refer to, in the order of a property
  /// of the join objects.
  ///
  /// - Parameter order: a key path to a property of the join type. Join objects with equal values
  ///   have the order in which they were inserted.
  public init<Element: MagicObject, Owner, Member>(
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable,
    orderedBy order: any KeyPath<Join, MagicField<Int>> & Sendable
  ) where Value == [Element] {
    self.init(RelationshipBox<Value>([], isChanged: false), TypedThrough(owner, member, order))
  }

  /// Creates an array with a default value, in the order in which the join objects were inserted.
  public init<Element: MagicObject, Owner, Member>(
    wrappedValue: [Element],
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable
  ) where Value == [Element] {
    self.init(
      RelationshipBox<Value>(wrappedValue, isChanged: true), TypedThrough(owner, member, nil))
  }

  /// Creates an array with a default value, in the order of a property of the join objects.
  public init<Element: MagicObject, Owner, Member>(
    wrappedValue: [Element],
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable,
    orderedBy order: any KeyPath<Join, MagicField<Int>> & Sendable
  ) where Value == [Element] {
    self.init(
      RelationshipBox<Value>(wrappedValue, isChanged: true), TypedThrough(owner, member, order))
  }

  /// Creates an empty set of the objects that join objects refer to. A member that several join
  /// objects refer to is in the set once; removing it deletes all of them.
  public init<Element: MagicObject, Owner, Member>(
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable
  ) where Value == MagicalSet<Element> {
    self.init(
      RelationshipBox<Value>(MagicalSet<Element>(), isChanged: false),
      TypedThrough(owner, member, nil))
  }

  /// Creates a set with a default value.
  public init<Element: MagicObject, Owner, Member>(
    wrappedValue: MagicalSet<Element>,
    _ owner: any KeyPath<Join, MagicField<Owner>> & Sendable,
    _ member: any KeyPath<Join, MagicField<Member>> & Sendable
  ) where Value == MagicalSet<Element> {
    self.init(
      RelationshipBox<Value>(wrappedValue, isChanged: true), TypedThrough(owner, member, nil))
  }
}

extension MagicThrough: MagicProperty {
  package var reference: PropertyReference { property.reference }

  package func schema(named name: String, options: [MagicOption]) -> PropertySchema {
    collection(named: name, through: UndeclaredThrough())
  }

  package func collection(
    named name: String, through relationship: any ThroughRelationship
  ) -> PropertySchema {
    collection(Value.self, named: name, through: relationship)
  }
}
