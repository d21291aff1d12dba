public import MagicSchema

/// Objects of one type, each of them once.
///
/// ```swift
/// var guests: MagicalSet = [anna, ben]
/// guests.insert(anna)  // still two
/// ```
///
/// Two objects are the same when they are the same row of the same database. Where one of them is
/// unsaved they are the same when they have the same primary value, or are copies of one instance.
/// A primary value that was not made yet equals none, and the set does not make it.
///
/// The set stays right when an element is saved or removed from its database later. Elements that
/// have become the same object by that, or by a change of a primary value, stay until
/// ``deduplication()``.
///
/// The order of the elements is not promised, and an index is valid until the next change.
public struct MagicalSet<Element: MagicObject>: Sendable {
  private var elements: [Element]
  /// Nil in a set that never had an element. Copies of a set share it until one is changed.
  private var index: IdentityIndex?

  /// An empty set.
  public init() { elements = [] }

  /// The elements of a sequence; of those that are the same object the last.
  public init(_ sequence: some Sequence<Element>) {
    self.init()
    elements.reserveCapacity(sequence.underestimatedCount)
    insert(contentsOf: sequence)
  }

  /// Objects that are known to be distinct, taken as they are.
  package init(distinct members: [Element]) {
    elements = members
    if !members.isEmpty { index = IdentityIndex() }
  }

  /// The elements in their order.
  package var members: [Element] { elements }

  /// Whether the set has the object.
  public func contains(_ element: Element) -> Bool {
    index?.position(of: element, in: elements) != nil
  }

  /// Puts an object into the set. Where the set has it, the new one takes its place, so that its
  /// values show.
  ///
  /// - Returns: whether the set did not have the object, and the object.
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

  /// Takes an object out of the set, together with all elements that have become the same object.
  ///
  /// - Returns: the element that was taken out; nil where the set did not have the object.
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

  /// Takes out the elements that fulfil a condition.
  public mutating func removeAll(
    where shouldBeRemoved: (Element) throws -> Bool
  ) rethrows {
    let kept = try elements.indices.filter { try !shouldBeRemoved(elements[$0]) }
    guard kept.count < elements.count else { return }
    elements = kept.map { elements[$0] }
    index = index?.keeping(kept)
  }

  /// Takes out all elements.
  public mutating func removeAll() { self = MagicalSet() }

  /// Leaves one of all elements that have become the same object: the one inserted last.
  public mutating func deduplication() {
    guard let index else { return }
    let order = index.insertionOrder ?? Array(elements.indices)
    self = MagicalSet(order.lazy.map { [elements] in elements[$0] })
  }

  /// The index, for this set alone.
  private mutating func ownIndex() -> IdentityIndex {
    if isKnownUniquelyReferenced(&index), let index { return index }
    let own = index?.copy() ?? IdentityIndex()
    index = own
    return own
  }
}
