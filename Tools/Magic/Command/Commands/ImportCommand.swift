import ArgumentParser
import Foundation
import MagicData
import MagicInspection

/// `magic import`: a database from an exported folder or a store of another library, or records into a
/// database.
struct ImportCommand<Tool: MagicTool>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "import",
      abstract:
        "Create a database from an exported folder or a store of Core Data or SwiftData, or import CSV or JSON.",
      discussion: """
        From a folder that `export` has written, the new database has all objects with their row IDs, \
        relationships and assets. The error of a line that is not valid names the file and the line.

        From a store of Core Data or SwiftData, it has a table for each entity; `magic schema STORE --swift` \
        writes the types. The store is only read. --plan shows what would be imported and lost.

        The new database must be empty, and is written in one transaction: after an error it has nothing.

        From a file with the extension csv, tsv, jsonl, ndjson or json, the records become objects of a type \
        of an existing database file, which describes its types. A record whose primary value is stored \
        updates that object; a relationship contains the primary value of its object, or its row ID. --plan runs the \
        import in a transaction that it rolls back, and shows the property of each column, what would be lost, \
        and the first errors, by line.

        A database of another program is copied to a new file, in which the types of a tool adopt the tables as \
        by `migrate`. The file is only read; --plan shows the steps.
        """)
  }

  @Argument(
    help: "The folder, the store, the database of another program, or the file with records.",
    completion: .file())
  var folder: String
  @OptionGroup var database: DatabaseArgument
  @Flag(help: "Only show what the import of a store or of records would do.") var plan = false
  @Option(help: "The model of the app, for a store that contains none.", completion: .file())
  var model: String?
  @Option(
    name: .customLong("name"),
    help: ArgumentHelp(
      "Another name of an entity or a property of a store: CDNote=Note, CDNote.text=body.",
      valueName: "old=new"))
  var names: [String] = []
  @OptionGroup(title: "Records") var records: RecordImport
  @OptionGroup var format: JSONOption

  private var isRecordFile: Bool { !isFolder && RecordImport.isRecordFile(folder) }

  private var isFolder: Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  func validate() throws {
    guard
      names.allSatisfy({ $0.split(separator: "=", omittingEmptySubsequences: false).count == 2 })
    else { throw ValidationError("--name has the form old=new.") }
    guard !isFolder || !plan && model == nil && names.isEmpty else {
      throw ValidationError("--plan, --model and --name are for stores, and this is a folder.")
    }
    guard isRecordFile else {
      guard !records.isUsed else {
        throw ValidationError(
          "--type, --map, --dates, --batches and --resume are for files of CSV or JSON.")
      }
      return
    }
    guard model == nil, names.isEmpty else {
      throw ValidationError("--model and --name are for stores. --map renames columns.")
    }
    guard !database.isOnServer else {
      throw ValidationError(
        "Records are imported into a database file. `magic copy` makes a file of a database on a server."
      )
    }
  }

  func run() async throws {
    if isRecordFile {
      try await records.run(folder, database.file, isPlan: plan, format)
      return
    }
    guard FileManager.default.fileExists(atPath: folder), !isFolder else {
      try await CopyCommand.copy(
        from: .folder(folder), to: database.location, "Importing", format)
      return
    }
    var source = FileArgument()
    source.file = folder
    if model == nil, names.isEmpty,
      let adoption = AdoptingImport(of: source, types: Tool.types)
    {
      guard !database.isOnServer else {
        throw ValidationError(
          "Tables of other programs are imported into a file. `magic copy` copies it to a server.")
      }
      return try await adoption.run(to: database.file.path, isPlan: plan, format)
    }
    let mapping = Dictionary(
      names.map { name in
        let parts = name.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts[1])
      }, uniquingKeysWith: { $1 })
    guard plan else {
      try await CopyCommand.copy(
        from: .coreData(folder, model: model, names: mapping), to: database.location, "Importing",
        format)
      return
    }
    let plan = try await MagicData.importPlan(ofCoreData: folder, model: model, names: mapping)
    if format.json {
      format.write(plan.json)
    } else {
      Output.current.writeDocument(plan.description + "\n")
    }
  }
}

extension MagicCoreDataImportPlan {
  fileprivate var json: JSONNode {
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
