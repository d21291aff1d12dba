import MagicRuntime
import Magical

/// A column that leads to a row of another table, or of its own.
package class ToOneColumn: ColumnSchema, @unchecked Sendable {
  /// Whether owner and target lie in one ``RowGraph``. Set once, before the first fetch.
  @exclusivity(unchecked) package internal(set) var staysInGraph = false

  /// The type it leads to.
  ///
  /// - Throws: `MagicError` where that type cannot be stored as it is declared.
  package var target: ObjectSchema {
    get throws { throw MagicError(.invalidSchema, "There is no such type.") }
  }

  package var deleteRule: MagicDeleteRule {
    for case .onDelete(let rule) in options.map(\.kind) { return rule }
    return isNullable ? .nullify : .deny
  }

  /// Takes what the property leads to now, and marks it as saved.
  package func capture(
    _ property: PropertyReference, marking: (AnyCell) -> Void
  ) throws -> CapturedLink { CapturedLink(.none, saved: nil, isChanged: false) }

  /// Notes the row that was written for a property; gives back the one before.
  package func noteSaved(
    _ target: Int64?, of store: StoreToken, in property: PropertyReference
  ) -> SavedLink? { nil }

  /// Lets go of a saved object that keeps the graph which keeps the property.
  package func loosen(_ property: PropertyReference) {}

  /// Sets the value in memory to nil where it is still an object that is gone.
  package func clear(
    _ property: PropertyReference, where isGone: (ObjectReference) -> Bool
  ) {}
}

/// What a to-one leads to at one moment.
package struct CapturedLink {
  package enum Target {
    case none
    case object(HeldObjects)
    /// A fetched row that nobody has made an object of.
    case row(PackedRow)
    /// What a lazy to-one led to, of which no more is in memory.
    case kept(LazyTarget)
    /// A lazy value of another object, which is not in memory.
    case lost
  }

  package let target: Target
  /// The row that the database has.
  package let saved: Int64?
  package let isChanged: Bool
  /// Of a lazy to-one.
  package let lazy: LazyCapture?

  init(_ target: Target, saved: Int64?, isChanged: Bool, lazy: LazyCapture? = nil) {
    self.target = target
    self.saved = saved
    self.isChanged = isChanged
    self.lazy = lazy
  }

  /// The same leading to an object of the row it leads to.
  package func leading(to object: HeldObjects) -> CapturedLink {
    CapturedLink(.object(object), saved: saved, isChanged: isChanged)
  }
}

/// A cell whose note of what is saved was changed, with the note as it was.
package struct SavedLink {
  package let restore: () -> Void
}

package final class TypedToOneColumn<Target: MagicObject>: ToOneColumn, @unchecked Sendable {
  init(property: String, role: Role, options: [MagicOption], template: PropertyReference) {
    super.init(
      property: property, role: role, options: options, template: template,
      valueType: Target.self, codec: .link, packing: .link, storageClass: .integer)
  }

  package override var target: ObjectSchema { get throws { try ObjectSchema.of(Target.self) } }

  package override func capture(
    _ property: PropertyReference, marking: (AnyCell) -> Void
  ) throws -> CapturedLink {
    guard let present = property.existingCell(.link) else {
      let row = property.row
      guard !row.isNull(property.column) else {
        return CapturedLink(.none, saved: nil, isChanged: false)
      }
      let target = row.target(property.column)
      return CapturedLink(.row(target), saved: target.zIndex, isChanged: false)
    }
    let cell: RelationCell<Target> = try relationCell(present)
    let (known, saved, isChanged, isDeferred) = cell.withPresentValue {
      let isChanged = cell.isChanged
      marking(cell)
      return (cell.value, cell.target, isChanged, cell.isDeferred)
    }
    let value = isDeferred ? cell.load() : known
    guard let value else { return CapturedLink(.none, saved: saved, isChanged: isChanged) }
    return CapturedLink(
      .object(HeldArray<Target>([value], schema: try target)), saved: saved, isChanged: isChanged)
  }

  package override func noteSaved(
    _ target: Int64?, of store: StoreToken, in property: PropertyReference
  ) -> SavedLink? {
    guard let present = property.existingCell(.link) ?? newCell(property, for: target),
      let cell = present as? RelationCell<Target>
    else { return nil }
    let before = cell.withLock {
      defer { cell.target = target }
      return cell.target
    }
    return SavedLink { cell.withLock { cell.target = before } }
  }

  /// A cell for a row's to-one that leads to another row than it was fetched with: what it leads to
  /// went to another database. Rows of one graph get none, since it would keep the graph for ever;
  /// they are written once more with the next save.
  private func newCell(_ property: PropertyReference, for target: Int64?) -> AnyCell? {
    let row = property.row
    guard !row.isNull(property.column) else { return nil }
    let fetched = row.target(property.column)
    guard fetched.zIndex != target, fetched.chunk.keeper !== row.chunk.keeper else { return nil }
    return property.cellForChange(Target.self)
  }

  package override func loosen(_ property: PropertyReference) {
    guard staysInGraph, !property.isCell, let schema = try? target,
      let cell = property.existingCell(.link) as? RelationCell<Target>
    else { return }
    cell.loosen { object in
      schema.withReference(to: object) { $0.row(in: property.storage) }.map { row in
        { schema.makeObject(Target.self, from: row) }
      }
    }
  }

  package override func clear(
    _ property: PropertyReference, where isGone: (ObjectReference) -> Bool
  ) {
    guard let schema = try? target else { return }
    let cell = property.cellForChange(Target.self)
    guard let value = cell.load(), schema.withReference(to: value, isGone) else { return }
    let old = cell.withLock { () -> Target? in
      // Another value that was set meanwhile stays.
      guard !cell.isChanged else { return nil }
      defer {
        cell.value = nil
        cell.isDeferred = false
      }
      return cell.value
    }
    withExtendedLifetime(old) {}
  }

  override func text(of reference: PropertyReference) -> String? {
    reference.load(Target.self).map {
      "\(TypeName.unqualified(Target.self))(\($0.zIndex.map { "\($0)" } ?? "unsaved"))"
    }
  }
}

extension PropertySchema {
  /// The cell of a relationship; one that was made where the compiler knew the type as a plain
  /// value is none.
  func relationCell<Value>(_ cell: AnyCell) throws -> RelationCell<Value> {
    guard let cell = cell as? RelationCell<Value> else {
      throw MagicError(
        .invalidSchema,
        "The property was made as a plain value, by code that does not know its type to be an "
          + "object's.", property: property)
    }
    return cell
  }
}
