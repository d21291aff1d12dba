/// The types and relationships of a file as an entity-relationship diagram in the language of
/// Mermaid.
public enum MermaidDiagram {
  /// Returns the diagram.
  public static func text(_ database: InspectedDatabase) -> String {
    var lines = ["erDiagram"]
    let names = Dictionary(
      uniqueKeysWithValues: database.types.enumerated().map { ($1.table, "t\($0)") })
    for type in database.types {
      guard let name = names[type.table] else { continue }
      lines.append("  \(name)[\"\(escaped(type.name))\"] {")
      for column in type.columns where column.form != .one {
        let keys = type.uniqueColumns.contains(column) ? " UK" : ""
        lines.append("    \(word(column.form.name)) \(word(column.property))\(keys)")
      }
      lines.append("  }")
    }
    for relationship in database.types.flatMap(\.relationships) where relationship.isStored {
      guard let owner = names[relationship.owner], let target = names[relationship.target]
      else { continue }
      let ends = relationship.form == .one ? "}o--o|" : "}o--o{"
      lines.append("  \(owner) \(ends) \(target) : \"\(escaped(relationship.property))\"")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A name of letters, digits and underscores, which need no quotes.
  private static func word(_ name: String) -> String {
    let characters = name.prefix(80).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    let word = String(characters)
    return word.first?.isLetter == true ? word : "_" + word
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.shown {
      switch character {
      case "\"": result += "#quot;"
      case "#": result += "#35;"
      case "<": result += "#lt;"
      case ">": result += "#gt;"
      case ";": result += "#59;"
      default: result.append(character)
      }
    }
    return result
  }
}
