import MagicRuntime
import MagicSchema

/// The table of a set and of its copies, made when it is first needed.
///
/// Tasks that read one set at once share it, hence the lock. What changes the elements is called by
/// a set that has the index for itself.
final class IdentityIndex: Locked, @unchecked Sendable {
  private var schema: ObjectSchema?
  private var table: IdentityTable?

  override init() { super.init() }

  /// The same for a set that is about to change.
  func copy() -> IdentityIndex {
    let copy = IdentityIndex()
    withLock {
      copy.schema = schema
      copy.table = table
    }
    return copy
  }

  /// The index of some of the elements.
  func keeping(_ kept: [Int]) -> IdentityIndex {
    let copy = IdentityIndex()
    withLock {
      copy.schema = schema
      copy.table = table?.keeping(kept)
    }
    return copy
  }

  /// The keys of an object; nil where the type cannot be stored: then no two objects are the same.
  func keys<Element: MagicObject>(of element: Element, in elements: [Element]) -> IdentityKeys? {
    guard let schema = schema(of: elements) else { return nil }
    let version = IdentityEpoch.current
    return schema.withReference(to: element) { IdentityKeys(of: $0, version: version) }
  }

  /// The position of an element that is the same object as the given one.
  func position<Element: MagicObject>(of element: Element, in elements: [Element]) -> Int? {
    guard let keys = keys(of: element, in: elements) else { return nil }
    return position(of: keys, in: elements)
  }

  /// The position of an element that is the same object as the one with these keys.
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

  /// The positions in the order in which the elements were inserted; nil where they lie in it.
  var insertionOrder: [Int]? { withLock { table?.insertionOrder } }

  /// The schema of the elements; makes the table where there is none.
  private func schema<Element: MagicObject>(of elements: [Element]) -> ObjectSchema? {
    if let known = withLock({ schema }) { return known }
    // Outside the lock: it runs the type's init.
    guard let found = try? ObjectSchema.of(Element.self) else { return nil }
    withLock {
      guard schema == nil else { return }
      table = Members.of(elements, found) { IdentityTable(of: $0) } ?? IdentityTable()
      schema = found
    }
    return found
  }
}
