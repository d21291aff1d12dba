import MagicInspection

/// What `inspect` shows of a whole file.
struct DatabaseReport {
  let path: String
  let database: InspectedDatabase
  let sizes: InspectedSizes
  let counts: [RowCount]

  init(reader: InspectionReader, database: InspectedDatabase) throws {
    path = reader.path
    self.database = database
    sizes = try reader.sizes(within: .seconds(10))
    counts = try database.types.map { try reader.count(of: $0, within: .seconds(10)) }
  }

  /// The bytes of a type's table, its indexes and its join tables; nil if they were not measured.
  func bytes(of type: InspectedType) -> Int? {
    guard let objects = sizes.objects else { return nil }
    var names = [type.table] + type.indexes.map(\.name)
    for case .joinTable(let table) in type.relationships.map(\.source) {
      names += [table, "\(table)(target, owner)"]
    }
    return names.reduce(0) { $0 + (objects[$1] ?? 0) }
  }

  func write(to output: Output) {
    output.line(output.bold(InspectedText.line(path, limit: 1_000)))
    func fact(_ name: String, _ text: String) {
      output.line("  " + output.faint(name.padded(to: 8)) + "  " + text)
    }
    fact("format", database.format.map(String.init) ?? "none: no objects of MagicData")
    fact(
      "file",
      "\(sizes.file.bytes), \(sizes.pages.counted("page")) of \(sizes.pageSize.grouped) bytes, "
        + "\(sizes.freePages.grouped) free")
    fact("log", sizes.log == 0 ? "empty" : sizes.log.bytes)
    if let assets = sizes.assets {
      fact("assets", "\(assets.files.counted("file")), \(assets.bytes.bytes)")
    }
    if database.storeNumber != 0 { fact("shared", "store \(database.storeNumber)") }
    if !database.types.isEmpty {
      output.line()
      writeTypes(to: output)
    }
    if !database.otherTables.isEmpty {
      output.line()
      let names = database.otherTables.map { InspectedText.line($0) }.joined(separator: ", ")
      output.line("Other tables: \(names)")
    }
    for problem in database.problems { output.message("problem: " + problem) }
    if database.types.contains(where: { !$0.isDescribed }) {
      output.message(
        "The file does not describe all properties: their forms are guesses. "
          + "The first change of a table by a current version of the library describes them.")
    }
  }

  private func writeTypes(to output: Output) {
    var table = TextTable([
      .init(title: "type"), .init(title: "rows", isRight: true),
      .init(title: "size", isRight: true), .init(title: "properties", isRight: true),
      .init(title: "indexes", isRight: true), .init(title: "table"),
    ])
    for (type, count) in zip(database.types, counts) {
      table.add([
        type.name, (count.isExact ? "" : "≤ ") + count.number.grouped,
        bytes(of: type)?.bytes ?? "", String(type.propertyCount),
        String(type.indexes.count), type.table == type.name ? "" : type.table,
      ])
    }
    table.withoutEmptyColumns().write(to: output)
  }

  var json: JSONNode {
    .members([
      "path": .string(path), "format": .integer(orNull: database.format),
      "identifier": .string(orNull: database.identifier),
      "storeNumber": .integer(Int64(database.storeNumber)),
      "bytes": .integer(Int64(sizes.file)), "logBytes": .integer(Int64(sizes.log)),
      "pageSize": .integer(Int64(sizes.pageSize)), "pages": .integer(Int64(sizes.pages)),
      "freePages": .integer(Int64(sizes.freePages)),
      "assets": sizes.assets.map {
        .members(["files": .integer(Int64($0.files)), "bytes": .integer(Int64($0.bytes))])
      } ?? .null,
      "types": .array(
        zip(database.types, counts).map { type, count in
          .members([
            "name": .string(type.name), "table": .string(type.table),
            "rows": .integer(Int64(count.number)), "rowsAreExact": .bool(count.isExact),
            "bytes": .integer(orNull: bytes(of: type)), "isDescribed": .bool(type.isDescribed),
            "properties": .integer(Int64(type.propertyCount)),
            "indexes": .integer(Int64(type.indexes.count)),
          ])
        }),
      "otherTables": .array(database.otherTables.map(JSONNode.string)),
      "problems": .array(database.problems.map(JSONNode.string)),
    ])
  }
}
