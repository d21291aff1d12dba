import MagicSchema
import MagicStore

extension MagicQuery {
  /// The query for objects as a read that can be repeated.
  package var observed: ObservedRead<[Model]> {
    get throws {
      let call = try plan.objects(Model.self)
      let rows = try QueryCall(Model.self, plan, .rows)
      let loaded = try call.schema.loadedTypes
      let leadsBack = loaded.contains { $0 === call.schema }
      return ObservedRead(
        region: { store in
          var region = try store.region(of: call)
          for column in call.schema.collections where !column.isLazy {
            region.insert(table: LinkTable(owner: call.schema, column: column).name)
          }
          for schema in loaded { region.insert(schema, isLoaded: true) }
          if !leadsBack {
            region.setRoot(call.schema.tableName, decidedBy: try store.region(of: rows))
          }
          return region
        },
        read: { try $0.objects(of: Model.self, call) },
        // Of many it is cheaper to read them again now and then.
        rows: { $0.count > 10_000 ? nil : Set($0.compactMap { $0.zIndex?.rawValue }) })
    }
  }
}

extension MagicSelection where Row: Sendable {
  /// The selection as a read that can be repeated.
  package var observed: ObservedRead<[Row]> {
    get throws {
      let (call, reader) = (try QueryCall(Model.self, plan, .tuples), try reader.get())
      return ObservedRead(
        region: { try $0.region(of: call) }, read: { try $0.rows(call, reader) })
    }
  }
}
