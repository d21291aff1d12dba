import MagicEngine
public import MagicQuery
import MagicRuntime
public import MagicSchema
public import MagicStore
public import Magical

extension ObservableMagicDatabase {
  /// Returns the changes to the objects of a type. The stream includes the changes by every
  /// `MagicData` of this process on the same file: by its methods, cascades, queries that update or
  /// delete, and raw SQL. Changes by other processes are reported without row IDs.
  ///
  /// ```swift
  /// for await changes in magic.changes(of: Person.self) {
  ///   print(changes.inserted.count, changes.updated.count, changes.deleted.count)
  ///   if changes.hasChanged(\.$name) { print("names have changed") }
  /// }
  /// ```
  ///
  /// The stream has every commit from this call on. For a type that cannot be stored, the stream
  /// ends immediately. Any other call for the type throws an error with the reason.
  ///
  /// - Parameter limit: the maximum number of buffered elements, before they are merged. Default:
  ///   64.
  public func changes<Model: MagicObject>(
    of type: Model.Type, bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicChanges<Model>> {
    changes(type, limit, selecting: nil)
  }

  /// Returns the changes to the object with a primary value: to the row that has the value, or had
  /// it before. The value is compared in its stored form.
  ///
  /// ```swift
  /// for await _ in magic.changes(of: Person.self, primary: ada.id) { print("Ada has changed") }
  /// ```
  ///
  /// - Parameter limit: the maximum number of buffered elements, before they are merged. Default:
  ///   64.
  public func changes<Model: MagicObject>(
    of type: Model.Type, primary: some MagicalPrimaryValue, bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicChanges<Model>> {
    let digest = ValueDigest(of: primary)
    return changes(type, limit) { table in
      guard table.hasRecordedPrimaries else { return table }
      return table.with(digest.map { table.rows(withPrimary: $0) } ?? [])
    }
  }

  /// Returns the changes to the object with a row ID.
  ///
  /// - Parameter limit: the maximum number of buffered elements, before they are merged. Default:
  ///   64.
  public func changes<Model: MagicObject>(
    of type: Model.Type, zIndex: ZIndex, bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicChanges<Model>> {
    changes(type, limit) { table in table.with(table.row(zIndex.rawValue).map { [$0] } ?? []) }
  }

  /// Returns the changes to some properties: inserted rows, deleted rows, and updated rows in which
  /// at least one of these properties changed. The key paths must refer to properties and
  /// collections of the type itself.
  ///
  /// ```swift
  /// for await changes in magic.changes(of: Person.self, columns: \.$name, \.$age) {
  ///   print(changes.updated.count)
  /// }
  /// ```
  ///
  /// - Parameter limit: the maximum number of buffered elements, before they are merged. Default:
  ///   64.
  public func changes<Model: MagicObject, each Value>(
    of type: Model.Type, columns paths: repeat MagicPath<Model, each Value>,
    bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicChanges<Model>> {
    var names: [String] = []
    if let schema = try? ObjectSchema.of(type) {
      repeat names += schema.names(of: each paths)
    }
    let columnFilter = ColumnFilter(names)
    return changes(type, limit) { table in
      let indices = columnFilter.indices(in: table.names)
      return table.with(
        table.rows.filter { $0.kind != .updated || !$0.columns.isDisjoint(with: indices) })
    }
  }

  /// Returns the changes to the objects of all types.
  ///
  /// ```swift
  /// for await changes in magic.changes() {
  ///   print(changes.tables)
  ///   let people = try changes[Person.self]
  ///   print(people.inserted.count)
  /// }
  /// ```
  ///
  /// The stream has every commit from this call on.
  ///
  /// - Parameter limit: the maximum number of buffered elements, before they are merged. Default:
  ///   64.
  public func changes(
    bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicDatabaseChanges> {
    var filter = ObservationFilter()
    filter.isAllTypes = true
    let observer = ChangeObserver(filter, capacity: limit) { changes in
      let isNothing =
        changes.tables.isEmpty && changes.unknown.isEmpty && !changes.isUnknown
      return isNothing ? nil : changes
    }
    return MagicChangeStream(ObserverRegistration(observer, in: self)) {
      let changes = MagicDatabaseChanges($0)
      return changes.isEmpty ? nil : changes
    }
  }

  func changes<Model: MagicObject>(
    _ type: Model.Type, _ limit: Int,
    selecting selectRows: (@Sendable (TableChanges) -> TableChanges)?
  ) -> MagicChangeStream<MagicChanges<Model>> {
    guard let schema = try? ObjectSchema.of(type) else {
      return MagicChangeStream(nil) { _ in nil }
    }
    let name = schema.observedName
    let observer = ChangeObserver(ObservationFilter(schema), capacity: limit) { changes in
      var own = changes
      own.select(name)
      if let selectRows, let rows = own.tables[name] { own.tables[name] = selectRows(rows) }
      return own.tables.hasRows(of: name) || own.isUnknown(name) ? own : nil
    }
    return MagicChangeStream(ObserverRegistration(observer, in: self)) {
      let changes = MagicChanges<Model>($0, of: schema)
      return changes.isEmpty ? nil : changes
    }
  }
}

extension ObjectSchema {
  /// Returns the stored name of the property that a key path refers to; empty if the type itself
  /// has no such property.
  fileprivate func names<Model: MagicObject, Value>(
    of path: KeyPath<Model, MagicField<Value>>
  ) -> [String] {
    ((try? property(at: path)) ?? nil).map { [$0.name.folded] } ?? []
  }
}
