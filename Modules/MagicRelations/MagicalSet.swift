public import MagicSchema

/// An unordered collection of objects of one type that contains each object once.
///
/// ```swift
/// var guests: MagicalSet = [anna, ben]
/// guests.insert(anna)  // still two
/// ```
///
/// Two saved objects are the same if they are the same row of the same database. If at least one of
/// them is unsaved, they are the same if they have the same primary value, or if they are copies of
/// one instance. A primary value that is not assigned yet equals no other value, and the set does
/// not assign it.
///
/// The set remains correct if an element is saved or removed from its database later. This, or the
/// change of a primary value, can make two elements the same object. Both then remain in the set
/// until ``deduplication()`` is called.
///
/// The order of the elements is undefined. An index is valid until the set is changed.
public struct MagicalSet<Element: MagicObject>: Sendable {
  private var elements: [Element]
  /// The index; nil in a set that never contained an element. Copies of a set share it until one of
  /// them is changed.
  private var index: IdentityIndex?

  /// Creates an empty set.
  public init() { elements = [] }

  /// Creates a set with the elements of a sequence. If several elements are the same object, the
  /// set contains the last one.
  public init(_ sequence: some Sequence<Element>) {
    self.init()
    elements.reserveCapacity(sequence.underestimatedCount)
    insert(contentsOf: sequence)
  }

  /// Creates a set from objects that are known to be distinct, without checking them.
  package init(distinct members: [Element]) {
    elements = members
    if !members.isEmpty { index = IdentityIndex() }
  }

  /// The elements in their current order.
  package var members: [Element] { elements }

  /// Returns whether the set contains the object.
  public func contains(_ element: Element) -> Bool {
    index?.position(of: element, in: elements) != nil
  }

  /// Inserts an object. If the set contains the object already, the new instance replaces the old
  /// one.
  ///
  /// - Returns: whether the object was not in the set before, and the new instance.
  @discardableResult
  public mutating func insert(
    _ element: Element
  ) -> (inserted: Bool, memberAfterInsert: Element) {
    let index = ownIndex()
    guard let keys = index.keys(of: element, in: elements) else {
      elements.append(element)
      return (true, element)
    }
    if let position = index.position(of: keys, in: elements) {
      elements[position] = element
      index.replace(at: position, with: keys)
      return (false, element)
    }
    elements.append(element)
    index.append(keys)
    return (true, element)
  }

  /// Removes an object, and all elements that have become the same object.
  ///
  /// - Returns: the removed element; nil if the set did not contain the object.
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    guard !elements.isEmpty else { return nil }
    let index = ownIndex()
    guard let keys = index.keys(of: element, in: elements) else { return nil }
    var removed: Element?
    while let position = index.position(of: keys, in: elements) {
      let last = elements.removeLast()
      let old = position < elements.count ? elements[position] : last
      if position < elements.count { elements[position] = last }
      index.remove(at: position)
      removed = removed ?? old
    }
    return removed
  }

  /// Removes the elements for which the closure returns true.
  public mutating func removeAll(
    where shouldBeRemoved: (Element) throws -> Bool
  ) rethrows {
    let kept = try elements.indices.filter { try !shouldBeRemoved(elements[$0]) }
    guard kept.count < elements.count else { return }
    elements = kept.map { elements[$0] }
    index = index?.keeping(kept)
  }

  /// Removes all elements.
  public mutating func removeAll() { self = MagicalSet() }

  /// Removes duplicates. Of several elements that have become the same object, the one that was
  /// inserted last remains.
  public mutating func deduplication() {
    guard let index else { return }
    let order = index.insertionOrder ?? Array(elements.indices)
    self = MagicalSet(order.lazy.map { [elements] in elements[$0] })
  }

  /// Returns the index, copied if other sets share it.
  private mutating func ownIndex() -> IdentityIndex {
    if isKnownUniquelyReferenced(&index), let index { return index }
    let own = index?.copy() ?? IdentityIndex()
    index = own
    return own
  }
}
