import MagicData
import MagicInspection

extension MagicCoreDataImportPlan {
  var json: JSONNode {
    .members([
      "types": .array(
        types.map { type in
          .members([
            "entity": .string(type.entity), "type": .string(type.type),
            "rows": .integer(Int64(type.rows)),
            "properties": .array(
              type.properties.map {
                .members(["name": .string($0.name), "source": .string($0.source)])
              }),
          ])
        }),
      "losses": .array(losses.map { .string($0.description) }),
      "refusals": .array(refusals.map { .string($0.description) }),
    ])
  }
}

extension MagicOriginalImportPlan {
  var json: JSONNode {
    .members([
      "types": .array(
        types.map { type in
          .members([
            "type": .string(type.type), "table": type.table.map(JSONNode.string) ?? .null,
            "rows": .integer(Int64(type.rows)),
            "properties": .array(
              type.properties.map {
                .members(["name": .string($0.name), "column": .string($0.column)])
              }),
          ])
        }),
      "losses": .array(losses.map(JSONNode.string)),
      "missingAssets": .integer(Int64(missingAssets)),
    ])
  }
}
