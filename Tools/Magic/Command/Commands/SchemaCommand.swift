import ArgumentParser
import MagicInspection

/// `magic schema`: the types of a file, in the notation of another tool.
struct SchemaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Write the types as a diagram, as SQL or as Swift.",
    discussion: """
      The diagram of Mermaid is the default; GitHub shows it in Markdown. The Swift source declares \
      the structs with which a program opens the file.
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

  @OptionGroup var file: FileArgument
  @Flag(help: "The notation.") var notation: Notation = .mermaid

  func run() async throws {
    try file.inspecting { reader, database in
      let text =
        switch notation {
        case .mermaid: MermaidDiagram.text(database)
        case .svg: SVGDiagram(database).text()
        case .swift: SwiftSource(database).text()
        case .sql: try reader.schemaSQL().map { $0 + ";\n" }.joined()
        }
      Output.current.writeDocument(text)
    }
  }
}
