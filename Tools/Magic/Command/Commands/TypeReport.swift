import MagicInspection

/// What `inspect` shows of one type.
struct TypeReport {
  let type: InspectedType

  func write(to output: Output) {
    let table = type.table == type.name ? "" : "  table \(InspectedText.line(type.table))"
    output.line(output.bold(InspectedText.line(type.name)) + table)
    var properties = TextTable([
      .init(title: "property"), .init(title: "form"), .init(title: "type"),
      .init(title: "optional"), .init(title: "column"), .init(title: "refers to"),
    ])
    for column in type.columns {
      properties.add([
        column.property, column.form.name + (column.isGuess ? " ?" : ""), column.swiftType ?? "",
        column.isOptional ? "yes" : "", column.column == column.property ? "" : column.column,
        column.target ?? "",
      ])
    }
    for relationship in type.relationships where relationship.form != .one {
      properties.add([
        relationship.property, relationship.form.name, relationship.swiftType ?? "", "", "",
        relationship.target,
      ])
    }
    properties.withoutEmptyColumns().write(to: output)
    guard !type.indexes.isEmpty else { return }
    output.line()
    var indexes = TextTable([
      .init(title: "index"), .init(title: "columns"), .init(title: "unique"),
    ])
    for index in type.indexes {
      let columns = index.columns.map { $0.isEmpty ? "(expression)" : $0 }
      indexes.add([
        index.name, columns.joined(separator: ", "), index.isUnique ? "yes" : "",
      ])
    }
    indexes.withoutEmptyColumns().write(to: output)
  }

  var json: JSONNode {
    .members([
      "name": .string(type.name), "table": .string(type.table),
      "isDescribed": .bool(type.isDescribed), "version": .integer(Int64(type.version)),
      "label": .string(orNull: type.labelColumn?.property),
      "columns": .array(
        type.columns.map { column in
          .members([
            "property": .string(column.property), "column": .string(column.column),
            "form": .string(column.form.name), "isGuess": .bool(column.isGuess),
            "type": .string(orNull: column.swiftType), "isOptional": .bool(column.isOptional),
            "target": .string(orNull: column.target),
            "cases": .array(column.cases.map { $0.json(as: column.form) }),
          ])
        }),
      "relationships": .array(
        type.relationships.map { relationship in
          .members([
            "property": .string(relationship.property), "form": .string(relationship.form.name),
            "target": .string(relationship.target),
            "type": .string(orNull: relationship.swiftType),
            "onDelete": .string(orNull: relationship.deleteRule),
            "keys": .string(orNull: relationship.keyForm?.name),
          ])
        }),
      "indexes": .array(
        type.indexes.map { index in
          .members([
            "name": .string(index.name), "columns": .array(index.columns.map(JSONNode.string)),
            "isUnique": .bool(index.isUnique), "isPartial": .bool(index.isPartial),
          ])
        }),
    ])
  }
}
