import MagicSchema
import MagicStore

/// Compares the changes that observers receive with the changes of the model.
final class ChangeComparison {
  private var observers: [(table: String, observer: ChangeObserver)] = []

  func observe(_ store: MagicObjectStore) {
    for type in [Entry.self, Mark.self, Bag.self] as [any MagicObject.Type] {
      guard let schema = try? schema(of: type) else { continue }
      let observer = ChangeObserver(ObservationFilter(schema), capacity: 1) { $0 }
      store.observe(observer)
      observers.append((schema.tableName.lowercased(), observer))
    }
  }

  private func schema<Model: MagicObject>(of type: Model.Type) throws -> ObjectSchema {
    try ObjectSchema.of(type)
  }

  func end() {
    for (_, observer) in observers { observer.cancel() }
    observers = []
  }

  func compare(_ before: World, _ after: World) throws {
    for (table, observer) in observers {
      let all = observer.takeAll()
      guard all.map({ !$0.isUnknown(table) }) ?? true else { continue }
      let reported = all?.tables[table]?.rows ?? []
      func rows(_ kind: RowChange.Kind) -> Set<Int64> {
        Set(reported.filter { $0.kind == kind }.map(\.zIndex))
      }
      let (old, new) = (before.rows[table] ?? [], after.rows[table] ?? [])
      guard rows(.inserted) == new.subtracting(old) else {
        throw Finding("\(table): reported as inserted: \(rows(.inserted))")
      }
      guard rows(.deleted) == old.subtracting(new) else {
        throw Finding("\(table): reported as deleted: \(rows(.deleted))")
      }
      let changed = old.intersection(new).filter { !isSame($0, table, before, after) }
      guard changed.isSubset(of: rows(.updated)), rows(.updated).isSubset(of: new) else {
        throw Finding("\(table): reported as updated: \(rows(.updated)), not \(changed)")
      }
    }
  }

  private func isSame(_ row: Int64, _ table: String, _ before: World, _ after: World) -> Bool {
    switch table {
    case "entry": before.entries[row] == after.entries[row]
    case "mark": before.marks[row] == after.marks[row]
    default: before.bags[row] == after.bags[row]
    }
  }
}
