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
        "Create a database from a folder or a database of another program, or import CSV or JSON.",
      discussion: """
        From a folder that `export` has written, the new database has all objects with their row IDs, \
        relationships and assets. The error of a line that is not valid names the file and the line.

        From a store of Core Data or SwiftData, it has a table for each entity; `magic schema STORE --swift` \
        writes the types. The store is only read. --plan shows the type and the number of rows of each entity, \
        what would be lost, and why the store would be refused. A tool with types imports the objects of the \
        entities that have these names into them; what would be lost is an error then, unless --allow-loss \
        permits it.

        The new database must be empty, and is written in one transaction: after an error it has nothing.

        A database of another program, such as one of GRDB, needs a tool with types that adopt its tables, \
        which `magic schema FILE --swift` writes. It is copied to a new file, and the types adopt the tables \
        of the copy as by `migrate`. The database is only read. --plan shows the steps, and those that need a \
        decision. A database of which the types adopt no table is refused.

        A database of the original MagicData becomes objects of a tool's types in a new database, and is only \
        read. It may also be a directory that contains default.sqlite3, such as the documents directory of an \
        app. What no type has is an error, unless --allow-loss leaves it out. --plan reads and checks all \
        values, and shows the properties of each type, and what would be lost. The status of a plan is 1 if the \
        import would be refused.

        From a file with the extension csv, tsv, jsonl, ndjson or json, the records become objects of a type \
        of an existing database file, which describes its types. JSON may be an array, or have the form of \
        flatted, in which Realm Studio exports. A record whose primary value is stored \
        updates that object; a relationship contains the primary value of its object, or its row ID. The object \
        can follow in the file, with --batches among the records that are committed together. --plan runs the \
        import in a transaction that it rolls back, and shows the property of each column, what would be lost, \
        and the first errors, by line.
        """)
  }

  @Argument(
    help:
      "The folder, the store, the database of another program or of the original MagicData, or the file with records.",
    completion: .file())
  var folder: String
  @OptionGroup var database: DatabaseArgument
  @Flag(
    help:
      "Only show what the import of a store, of a database of another program or of the original MagicData, or of records would do."
  )
  var plan = false
  @Option(help: "The model of the app, for a store that contains none.", completion: .file())
  var model: String?
  @Option(
    name: .customLong("name"),
    help: ArgumentHelp(
      "Another name of an entity or a property of a store: CDNote=Note, CDNote.text=body.",
      valueName: "old=new"))
  var names: [String] = []
  @Flag(
    help: ArgumentHelp(
      "Leave out what no type of the tool has: entities and attributes of a store, or tables, columns, and "
        + "optional assets without their files of a database of the original MagicData."))
  var allowLoss = false
  @OptionGroup(title: "Records") var records: RecordImport
  @OptionGroup var format: JSONOption

  private var isRecordFile: Bool { !isFolder && RecordImport.isRecordFile(folder) }

  /// Whether the source is an exported folder. A directory that contains default.sqlite3 names that file.
  private var isFolder: Bool {
    let manager = FileManager.default
    var isDirectory: ObjCBool = false
    return manager.fileExists(atPath: folder, isDirectory: &isDirectory) && isDirectory.boolValue
      && (manager.fileExists(atPath: folder + "/database.json")
        || !manager.fileExists(atPath: FileArgument.path(folder)))
  }

  func validate() throws {
    guard
      names.allSatisfy({ $0.split(separator: "=", omittingEmptySubsequences: false).count == 2 })
    else { throw ValidationError("--name has the form old=new.") }
    guard !isFolder || !plan && model == nil && names.isEmpty else {
      throw ValidationError(
        "--plan is for stores, databases and records, --model and --name are for stores, and this is a "
          + "folder.")
    }
    guard !allowLoss || !isFolder && !isRecordFile else {
      throw ValidationError(Self.lossForOriginals)
    }
    guard isRecordFile else {
      guard !records.isUsed else {
        throw ValidationError(
          "--type, --map, --dates, --delimiter, --encoding, --no-header, --batches and --resume are for "
            + "files of CSV or JSON.")
      }
      return
    }
    guard !records.isOfCSV || RecordImport.isCSV(folder) else {
      throw ValidationError("--delimiter and --no-header are for files of CSV.")
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

  /// Imports a database whose tables become those of the tool's types.
  ///
  /// - Returns: whether the file is one.
  private func importTables() async throws -> Bool {
    var source = FileArgument()
    source.file = folder
    // The import of a store reports the errors of other files.
    guard let inspected = try? source.inspecting({ $1 }) else { return false }
    if inspected.format == nil, inspected.isOfOriginalLibrary {
      try await importOriginal(source.path)
      return true
    }
    guard let adoption = AdoptingImport(of: inspected, at: source.path, types: Tool.types) else {
      return false
    }
    guard !allowLoss else { throw ValidationError(Self.lossForOriginals) }
    guard !database.isOnServer else {
      throw ValidationError(
        "Tables of other programs are imported into a file. `magic copy` copies it to a server.")
    }
    try await adoption.run(to: database.file.path, isPlan: plan, format)
    return true
  }

  /// Imports a database of the original MagicData.
  private func importOriginal(_ path: String) async throws {
    guard !Tool.types.isEmpty else {
      throw CommandError(
        ExitStatus.usage,
        "The original MagicData has written the file. Its objects become objects of types, and this tool "
          + "has none: `magic migrate` shows how to make a tool with the types of your program.")
    }
    guard !plan else {
      let plan = try await MagicData.importPlan(ofOriginalMagicData: path, as: Tool.types)
      write(plan.description, plan.json)
      guard allowLoss || plan.losses.isEmpty else { throw ExitCode(ExitStatus.findings) }
      return
    }
    try await CopyCommand.copy(
      from: .originalMagicData(path, as: Tool.types, allowsLoss: allowLoss), to: database.location,
      "Importing", format)
  }

  private static var lossForOriginals: String {
    "--allow-loss is for databases of the original MagicData, and for stores of Core Data in a tool with types."
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
    if model == nil, names.isEmpty, try await importTables() { return }
    guard !allowLoss || !Tool.types.isEmpty else { throw ValidationError(Self.lossForOriginals) }
    let mapping = Dictionary(
      names.map { name in
        let parts = name.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts[1])
      }, uniquingKeysWith: { $1 })
    let path = FileArgument.path(folder)
    guard plan || !Tool.types.isEmpty else {
      return try await importStore(path, mapping)
    }
    let found = try await MagicData.importPlan(
      ofCoreData: path, model: model, as: Tool.types, names: mapping)
    let isLossAllowed = allowLoss || Tool.types.isEmpty || found.losses.isEmpty
    guard !plan else {
      write(found.description, found.json)
      guard isLossAllowed, found.refusals.isEmpty else { throw ExitCode(ExitStatus.findings) }
      return
    }
    // The import throws the error of a refusal.
    guard isLossAllowed || !found.refusals.isEmpty else {
      throw CommandError(
        ExitStatus.findings,
        "The import into the types of this tool would lose:\n"
          + found.losses.map { "  \($0.description)\n" }.joined()
          + "Nothing was imported. --allow-loss imports the rest.")
    }
    try await importStore(path, mapping)
  }

  private func importStore(_ path: String, _ mapping: [String: String]) async throws {
    try await CopyCommand.copy(
      from: .coreData(path, model: model, as: Tool.types, names: mapping), to: database.location,
      "Importing", format)
  }

  private func write(_ plan: String, _ json: JSONNode) {
    if format.json {
      format.write(json)
    } else {
      Output.current.writeDocument(plan + "\n")
    }
  }
}
