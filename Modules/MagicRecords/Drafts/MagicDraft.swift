public import MagicSchema

/// Edits of a saved object that are kept apart from it until they are committed.
///
/// A draft is a second instance of the object's row. Forms can be bound to its properties; the
/// object, its copies and the database do not change before the commit.
///
/// ```swift
/// let draft = try await magic.draft(of: person)
/// draft.name = "Anna"
/// try await magic.commit(draft)
/// print(person.name)  // Anna
/// ```
///
/// A commit writes only the properties that were set in the draft. If one of them was meanwhile
/// changed in the database, it throws a ``MagicDraftConflict``. To discard the edits, call
/// ``discard()`` or release the draft.
@dynamicMemberLookup
public struct MagicDraft<Model: MagicObject>: Sendable {
  /// The object that a commit changes.
  public let original: Model
  /// The instance that has the edits. Saving it with `update(_:)` is a commit without the search for
  /// conflicts.
  public let object: Model

  init(of original: Model, _ object: Model) {
    self.original = original
    self.object = object
  }

  /// A property of the draft.
  public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Model, Value>) -> Value {
    get { object[keyPath: path] }
    nonmutating set { object[keyPath: path] = newValue }
  }

  /// A property of the draft that cannot be set.
  public subscript<Value>(dynamicMember path: KeyPath<Model, Value>) -> Value {
    object[keyPath: path]
  }

  /// Whether a property was set in the draft since it was created or committed.
  public var hasEdits: Bool { object.hasChanges }

  /// The properties that were set in the draft, with the values when the draft was created or last
  /// committed, and now. Edited inverse relationships follow, without values.
  public var edits: [MagicPropertyChange] { object.changes + object.inverseChanges }

  /// Discards the edits: the properties have the values from when the draft was created or last
  /// committed. The draft can be edited again.
  public func discard() { object.revert() }
}
