import MagicEngine
public import MagicRelations
public import MagicSchema

/// Edits of a collection that do not load its members. They are in memory, for all copies of the
/// owner, until the next save of the owner writes them. Members that others have added meanwhile
/// are kept. If the owner was never saved, or a new collection was set, the collection in memory is
/// edited.
extension AsyncMagical {
  /// Appends an object to the array.
  ///
  /// - Complexity: O(1), or O(n) for an array in memory.
  public func append<Element: MagicObject>(_ object: Element) where Content == [Element] {
    edit([.insert(object)])
  }

  /// Appends objects to the array.
  ///
  /// - Complexity: O(k) for k objects, or O(n + k) for an array in memory.
  public func append<Element: MagicObject>(contentsOf objects: some Sequence<Element>)
  where Content == [Element] { edit(objects.map { .insert($0) }) }

  /// Removes all occurrences of an object from the array.
  ///
  /// - Complexity: O(1), or O(n) for an array in memory.
  public func remove<Element: MagicObject>(_ object: Element) where Content == [Element] {
    edit([.remove(object)])
  }

  /// Inserts an object into the set, unless the set contains it.
  ///
  /// - Complexity: O(1), or O(n) for a set in memory.
  public func insert<Element: MagicObject>(_ object: Element)
  where Content == MagicalSet<Element> { edit([.insert(object)]) }

  /// Inserts objects into the set.
  ///
  /// - Complexity: O(k) for k objects, or O(n + k) for a set in memory.
  public func insert<Element: MagicObject>(contentsOf objects: some Sequence<Element>)
  where Content == MagicalSet<Element> { edit(objects.map { .insert($0) }) }

  /// Removes an object from the set.
  ///
  /// - Complexity: O(1), or O(n) for a set in memory.
  public func remove<Element: MagicObject>(_ object: Element)
  where Content == MagicalSet<Element> { edit([.remove(object)]) }
}

extension AsyncMagical where Content: ObjectCollection {
  private func edit(_ edits: [LazyEdit<Content.Member>]) {
    reference.edit(edits, of: Content.self)
  }
}
