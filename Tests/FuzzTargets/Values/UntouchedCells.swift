import Foundation
import MagicRelations
import MagicStore

/// Saves single properties of objects whose rows have become unreadable meanwhile. Other cells of
/// these rows, and other rows, must not change.
struct UntouchedCells {
  let store: MagicObjectStore
  let raw: RawDatabase
  let edits: RawEdits
  let scalars: [Scalar]
  let roots: [Root]
  let photos: [Photo]
  var flaw: ValueFlaw?

  init(_ store: MagicObjectStore, _ raw: RawDatabase, _ edits: RawEdits) throws {
    (self.store, self.raw, self.edits) = (store, raw, edits)
    scalars = try store.object(of: Scalar.self)
    roots = try store.object(of: Root.self)
    photos = try store.object(of: Photo.self)
  }

  func check() throws {
    for scalar in scalars {
      scalar.small = 42
      try expectOnly("small", of: Scalar.self, scalar.zIndex) {
        if flaw == .writesUnchangedColumns { scalar.text = "text" }
        try store.update(scalar)
      }
    }
    for photo in photos {
      photo.title = "other"
      try expectOnly("title", of: Photo.self, photo.zIndex) { try store.update(photo) }
    }
    for root in roots {
      root.list.append(root.one)
      try expectOnly("list", of: Root.self, root.zIndex) { try store.update(root) }
    }
  }

  /// - Parameter property: The only property whose cells or join rows may change.
  private func expectOnly<Model: MagicObject>(
    _ property: String, of type: Model.Type, _ zIndex: ZIndex?, _ body: () throws -> Void
  ) throws {
    let before = try edits.content()
    let owner = RawValue.integer(zIndex?.rawValue ?? 0)
    // An object whose row was deleted is not saved.
    let name = "\(type)"
    guard before[name]?.contains(where: { $0[0] == owner }) == true else { return }
    let isSaved = try attempt("saving", body) != nil
    let after = try edits.content()
    for (table, rows) in before {
      let isOwn = table == name || table == "magic_\(name).\(property)"
      let place = edits.columns(of: table).firstIndex(of: table == name ? property : "owner")
      func others(_ rows: Set<[RawValue]>) -> Set<[RawValue]> {
        guard isOwn, isSaved, let place else { return rows }
        if table != name { return rows.filter { $0[place] != owner } }
        return Set(
          rows.map { row in
            guard row[0] == owner else { return row }
            return row.enumerated().map { $0.offset == place ? .null : $0.element }
          })
      }
      let (old, new) = (others(rows), others(after[table] ?? []))
      guard old == new else {
        throw Finding(
          "saving \(property) of \(name) \(owner) has changed \(table): removed rows "
            + "\(old.subtracting(new)), new rows \(new.subtracting(old))")
      }
    }
  }
}
