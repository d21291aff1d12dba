import ArgumentParser
import Foundation
import MagicData
import MagicInspection

/// `magic schema`: the types of a file, in the notation of another tool.
struct SchemaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Write the types as a diagram, as SQL or as Swift.",
    discussion: """
      The diagram of Mermaid is the default; GitHub shows it in Markdown. The Swift source declares \
      the structs with which a program opens the file, and structs that adopt tables of other programs; \
      of a store of Core Data or SwiftData, or of a model of Xcode, those with which it is imported. --sql is \
      for files: of a database of PostgreSQL, use pg_dump --schema-only.
      """)

  enum Notation: String, EnumerableFlag {
    case mermaid, svg, sql, swift

    static func help(for value: Notation) -> ArgumentHelp? {
      switch value {
      case .mermaid: "An entity-relationship diagram of Mermaid."
      case .svg: "A drawing."
      case .sql: "The SQL that creates the tables, indexes and triggers."
      case .swift: "Swift structs. What the file does not contain is guessed, and marked."
      }
    }
  }

  @OptionGroup var database: DatabaseArgument
  @Flag(help: "The notation.") var notation: Notation = .mermaid

  func validate() throws {
    guard notation != .sql || !database.isOnServer else {
      throw ValidationError(
        "--sql is for files. For a database on a server, use pg_dump --schema-only.")
    }
  }

  func run() async throws {
    guard !database.isOnServer else {
      let inspected = try await database.inspecting { $1 }
      return Output.current.writeDocument(document(inspected))
    }
    if notation == .swift, let source = try await coreDataSource() {
      Output.current.writeDocument(source)
      return
    }
    try database.file.inspecting { reader, inspected in
      let text =
        switch notation {
        case .sql: try reader.schemaSQL().map { $0 + ";\n" }.joined()
        case .swift: document(inspected, try reader.foreignTables(of: inspected))
        case .mermaid, .svg: document(inspected)
        }
      Output.current.writeDocument(text)
    }
  }

  private func document(
    _ database: InspectedDatabase, _ foreignTables: [ForeignTable] = []
  ) -> String {
    switch notation {
    case .svg: SVGDiagram(database).text()
    case .swift: SwiftSource(database, foreignTables: foreignTables).text()
    default: MermaidDiagram.text(database)
    }
  }

  /// The types of a model, or of a store of Core Data or SwiftData; nil for another file.
  private func coreDataSource() async throws -> String? {
    let url = URL(fileURLWithPath: database.place)
    if ["xcdatamodeld", "xcdatamodel", "momd", "mom"].contains(url.pathExtension) {
      return try MagicData.swiftSource(ofCoreDataModel: url.path)
    }
    // The inspection reports the errors of other files.
    return try? await MagicData.importPlan(ofCoreData: database.file.path).swiftSource
  }
}
