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

      --csv writes a file of CSV for each type and each collection instead, and --sql the statements of \
      SQL that create the tables and rows in SQLite, database.sql. Both are for other programs, and are not \
      compared.
      """)

  @OptionGroup var database: DatabaseArgument
  @Argument(help: "The folder to create.", completion: .directory) var folder: String
  @Flag(help: "What the folder contains.") var content: Content = .lines
  @OptionGroup var format: JSONOption

  enum Content: String, EnumerableFlag {
    case lines, csv, sql

    static func name(for value: Content) -> NameSpecification {
      value == .lines ? .customLong("jsonl") : .long
    }

    static func help(for value: Content) -> ArgumentHelp? {
      switch value {
      case .lines: "Lines of JSON, from which `import` makes the same database. The default."
      case .csv: "Files of CSV, with row IDs for references."
      case .sql: "Statements of SQL."
      }
    }
  }

  func run() async throws {
    let place: MagicDatabaseLocation =
      switch content {
      case .lines: .folder(folder)
      case .csv: .csv(folder)
      case .sql: .sql(folder)
      }
    try await CopyCommand.copy(from: database.location, to: place, "Exporting", format)
  }
}
