import MagicEngine
public import MagicQuery
import MagicRuntime
public import MagicSchema
public import MagicStore
public import Magical

extension ObservableMagicDatabase {
  /// The changes of a type's objects, whoever makes them: verbs, cascades, bulk changes, raw SQL, any
  /// `MagicData` of this process on the file, and, without rows, other processes.
  ///
  /// ```swift
  /// for await changes in magic.changes(of: Person.self) {
  ///   print(changes.inserted.count, changes.updated.count, changes.deleted.count)
  ///   if changes.hasChanged(\.$name) { print("names have changed") }
  /// }
  /// ```
  ///
  /// It hears of every commit from this call on. A type that cannot be stored has no changes: the
  /// stream ends at once, and any other call on the type throws the reason.
  ///
  /// - Parameter limit: how many elements wait at most, before they are merged. Default: 64.
  public func changes<Model: MagicObject>(
    of type: Model.Type, bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicChanges<Model>> {
    changes(type, limit) { $0 }
  }

  /// The changes of the object with a primary value: of the row that has it, or had it before. No
  /// object has a value of another type than the primary's.
  ///
  /// ```swift
  /// for await _ in magic.changes(of: Person.self, primary: ada.id) { print("Ada has changed") }
  /// ```
  ///
  /// - Parameter limit: how many elements wait at most, before they are merged. Default: 64.
  public func changes<Model: MagicObject>(
    of type: Model.Type, primary: some MagicalPrimaryValue, bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicChanges<Model>> {
    let mark = ValueDigest(of: primary)
    return changes(type, limit) { table in
      guard table.hasRecordedPrimaries else { return table }
      return table.with(mark.map { table.rows(withPrimary: $0) } ?? [])
    }
  }

  /// The changes of the object with a z-index.
  ///
  /// - Parameter limit: how many elements wait at most, before they are merged. Default: 64.
  public func changes<Model: MagicObject>(
    of type: Model.Type, zIndex: ZIndex, bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicChanges<Model>> {
    changes(type, limit) { table in table.with(table.row(zIndex.rawValue).map { [$0] } ?? []) }
  }

  /// The changes of some properties: rows in which one of them has another value, and rows that came
  /// or went. The key paths refer to properties and collections that the type stores itself.
  ///
  /// ```swift
  /// for await changes in magic.changes(of: Person.self, columns: \.$name, \.$age) {
  ///   print(changes.updated.count)
  /// }
  /// ```
  ///
  /// - Parameter limit: how many elements wait at most, before they are merged. Default: 64.
  public func changes<Model: MagicObject, each Value>(
    of type: Model.Type, columns paths: repeat MagicPath<Model, each Value>,
    bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicChanges<Model>> {
    var names: [String] = []
    if let schema = try? ObjectSchema.of(type) {
      repeat names += schema.names(of: each paths)
    }
    let choice = ColumnFilter(names)
    return changes(type, limit) { table in
      let wanted = choice.places(in: table.names)
      return table.with(
        table.rows.filter { $0.kind != .updated || !$0.columns.isDisjoint(with: wanted) })
    }
  }

  /// The changes of all types' objects.
  ///
  /// ```swift
  /// for await changes in magic.changes() {
  ///   print(changes.tables)
  ///   let people = try changes[Person.self]
  ///   print(people.inserted.count)
  /// }
  /// ```
  ///
  /// It hears of every commit from this call on.
  ///
  /// - Parameter limit: how many elements wait at most, before they are merged. Default: 64.
  public func changes(
    bufferingAtMost limit: Int = 64
  ) -> MagicChangeStream<MagicDatabaseChanges> {
    var interest = ObservationFilter()
    interest.isAllTypes = true
    let observer = ChangeObserver(interest, capacity: limit) { changes in
      let isNothing =
        changes.tables.isEmpty && changes.unknown.isEmpty && !changes.isUnknown
      return isNothing ? nil : changes
    }
    return MagicChangeStream(ObserverRegistration(observer, in: self)) {
      let changes = MagicDatabaseChanges($0)
      return changes.isEmpty ? nil : changes
    }
  }

  private func changes<Model: MagicObject>(
    _ type: Model.Type, _ limit: Int,
    choosing: @escaping @Sendable (TableChanges) -> TableChanges
  ) -> MagicChangeStream<MagicChanges<Model>> {
    guard let schema = try? ObjectSchema.of(type) else {
      return MagicChangeStream(nil) { _ in nil }
    }
    let name = schema.observedName
    let observer = ChangeObserver(ObservationFilter(schema), capacity: limit) { changes in
      var own = changes
      own.others = []
      own.unknown = changes.unknown.intersection([name])
      own.tables =
        changes.tables[name].map { [name: choosing($0)] } ?? [:]
      return own.tables[name]?.isEmpty ?? true && !own.isUnknown(name) ? nil : own
    }
    return MagicChangeStream(ObserverRegistration(observer, in: self)) {
      let changes = MagicChanges<Model>($0, of: schema)
      return changes.isEmpty ? nil : changes
    }
  }
}

extension ObjectSchema {
  /// What the property that a key path refers to is stored under; nothing for another type's.
  fileprivate func names<Model: MagicObject, Value>(
    of path: KeyPath<Model, MagicField<Value>>
  ) -> [String] {
    ((try? property(at: path)) ?? nil).map { [$0.name.folded] } ?? []
  }
}
