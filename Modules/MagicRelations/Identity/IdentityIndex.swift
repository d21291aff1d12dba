import MagicRuntime
import MagicSchema

/// The identity table of a set and of its copies, created when it is first needed.
///
/// The lock is needed because tasks that read copies of one set concurrently share the index. The
/// functions that change the index are called only by a set that does not share it.
final class IdentityIndex: Locked, @unchecked Sendable {
  private var schema: ObjectSchema?
  private var table: IdentityTable?

  override init() { super.init() }

  /// Returns a copy for a set that is about to change.
  func copy() -> IdentityIndex {
    let copy = IdentityIndex()
    withLock {
      copy.schema = schema
      copy.table = table
    }
    return copy
  }

  /// Returns the index for a subset of the elements.
  func keeping(_ kept: [Int]) -> IdentityIndex {
    let copy = IdentityIndex()
    withLock {
      copy.schema = schema
      copy.table = table?.keeping(kept)
    }
    return copy
  }

  /// Returns the keys of an object. Nil if the type cannot be stored; then no two objects are the
  /// same.
  func keys<Element: MagicObject>(of element: Element, in elements: [Element]) -> IdentityKeys? {
    guard let schema = schema(of: elements) else { return nil }
    let version = IdentityEpoch.current
    return schema.withReference(to: element) { IdentityKeys(of: $0, version: version) }
  }

  /// Returns the position of an element that is the same object as the given one.
  func position<Element: MagicObject>(of element: Element, in elements: [Element]) -> Int? {
    guard let keys = keys(of: element, in: elements) else { return nil }
    return position(of: keys, in: elements)
  }

  /// Returns the position of an element that is the same object as the one with these keys.
  func position<Element: MagicObject>(of keys: IdentityKeys, in elements: [Element]) -> Int? {
    withLock {
      guard let schema else { return nil }
      return Members.of(elements, schema) { table?.position(of: keys, in: $0) } ?? nil
    }
  }

  func append(_ keys: IdentityKeys) { withLock { table?.append(keys) } }

  func replace(at position: Int, with keys: IdentityKeys) {
    withLock { table?.replace(at: position, with: keys) }
  }

  func remove(at position: Int) { withLock { table?.remove(at: position) } }

  /// The positions in the order of insertion; nil if the elements are in that order.
  var insertionOrder: [Int]? { withLock { table?.insertionOrder } }

  /// Returns the schema of the elements. Creates the table if it does not exist.
  private func schema<Element: MagicObject>(of elements: [Element]) -> ObjectSchema? {
    if let known = withLock({ schema }) { return known }
    // Called without the lock, because it runs the initializer of the type.
    guard let found = try? ObjectSchema.of(Element.self) else { return nil }
    withLock {
      guard schema == nil else { return }
      table = Members.of(elements, found) { IdentityTable(of: $0) } ?? IdentityTable()
      schema = found
    }
    return found
  }
}
