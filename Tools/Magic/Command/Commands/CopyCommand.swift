import ArgumentParser
import Foundation
import MagicData
import MagicDataPostgres
import MagicInspection

/// `magic copy`: a database in another place, also on the other engine.
struct CopyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy a database between a file and a server of PostgreSQL.",
    discussion: """
      Copies all objects with their row IDs, relationships and assets: from a file to a server, from \
      a server to a file, or between two schemas or servers. The address of a database of PostgreSQL \
      is a URI, or 'host=… dbname=…'. Other users of the computer can read arguments: keep passwords \
      in ~/.pgpass, or in the environment.

      The copy contains one committed state, also while programs write. The destination must be \
      empty, and is written in one transaction: it is compared with the source at the end, and has \
      all or nothing.
      """)

  @Argument(help: "The database to copy.", completion: .file()) var source: String
  @Argument(help: "The new database.", completion: .file()) var destination: String
  @Option(help: "The PostgreSQL schema of the source.") var fromSchema: String?
  @Option(help: "The PostgreSQL schema of the destination, created if it is missing.")
  var toSchema: String?
  @OptionGroup var format: JSONOption

  func validate() throws {
    for (schema, place) in [(fromSchema, source), (toSchema, destination)]
    where schema != nil && !ServerAddress.isAddress(place) {
      throw ValidationError("A schema is for a database of PostgreSQL, and not for a file.")
    }
    guard ServerAddress.isAddress(source) || ServerAddress.isAddress(destination) else {
      throw ValidationError("Both databases are files. `magic backup` copies a file.")
    }
  }

  func run() async throws {
    try await Self.copy(
      from: DatabaseArgument.location(source, schema: fromSchema),
      to: DatabaseArgument.location(destination, schema: toSchema), "Copying", format)
  }

  /// Copies a database, and writes what was copied.
  ///
  /// - Parameter title: the title of the progress.
  static func copy(
    from source: MagicDatabaseLocation, to destination: MagicDatabaseLocation, _ title: String,
    _ format: JSONOption
  ) async throws {
    let progress = Progress(title)
    defer { progress.finish() }
    let summary = try await MagicData.copy(from: source, to: destination) { progress.show($0) }
    progress.finish()
    if format.json {
      format.write(summary.json)
    } else {
      summary.write(to: .current)
    }
  }
}

extension MagicCopySummary {
  func write(to output: Output) {
    var table = TextTable([.init(title: "table"), .init(title: "rows", isRight: true)])
    for row in tables { table.add([row.name, row.rows.grouped]) }
    table.write(to: output)
    output.line()
    output.line(
      "Copied \(rows.counted("row")), \(members.counted("member")) of collections and "
        + "\(assets.counted("asset")) (\(assetBytes.bytes))."
        + (isCompared ? " The copy was compared, and is equal." : ""))
    guard !incompleteTypes.isEmpty else { return }
    let names = incompleteTypes.map { InspectedText.line($0) }.joined(separator: ", ")
    output.message(
      "The first program that uses these types completes their tables, for example with indexes that "
        + "only the types declare: \(names).")
  }

  var json: JSONNode {
    .members([
      "tables": .array(
        tables.map {
          .members(["name": .string($0.name), "rows": .integer(Int64($0.rows))])
        }),
      "rows": .integer(Int64(rows)), "members": .integer(Int64(members)),
      "assets": .integer(Int64(assets)), "assetBytes": .integer(Int64(assetBytes)),
      "isEqual": isCompared ? .bool(true) : .null,
      "incompleteTypes": .array(incompleteTypes.map(JSONNode.string)),
    ])
  }
}
