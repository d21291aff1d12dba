import ArgumentParser
import MagicData

/// `magic export`: a database as a folder of text files.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a database to a folder of text files.",
    discussion: """
      The folder has a file of JSON lines for each type and each collection, the files of the assets, \
      and the description database.json. `magic import` makes the same database of it. The folder must \
      not exist. It contains one committed state, also while programs write, and appears under its name \
      when it is complete and was compared with the database.
      """)

  @OptionGroup var database: DatabaseArgument
  @Argument(help: "The folder to create.", completion: .directory) var folder: String
  @OptionGroup var format: JSONOption

  func run() async throws {
    try await CopyCommand.copy(
      from: database.location, to: .folder(folder), "Exporting", format)
  }
}

/// `magic import`: a database from such a folder.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Create a database from a folder that `export` has written.",
    discussion: """
      The new database has all objects with their row IDs, relationships and assets. It must be empty, \
      and is written in one transaction: after an error it has nothing. The error of a line \
      that is not valid names the file and the line.
      """)

  @Argument(help: "The folder.", completion: .directory) var folder: String
  @OptionGroup var database: DatabaseArgument
  @OptionGroup var format: JSONOption

  func run() async throws {
    try await CopyCommand.copy(
      from: .folder(folder), to: database.location, "Importing", format)
  }
}
