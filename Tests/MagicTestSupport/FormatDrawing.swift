public import Foundation

/// The code blocks below a heading of the description of the format.
public struct FormatDrawing {
  private var blocks: [String: String] = [:]

  /// - Parameters:
  ///   - heading: the complete line.
  ///   - folder: the package's.
  public init(under heading: String, in folder: URL) throws {
    let format = folder.appendingPathComponent("Modules/MagicData/MagicData.docc/Format.md")
    let sections = try String(contentsOf: format, encoding: .utf8)
      .components(separatedBy: "\n\(heading)\n")
    let section = sections.dropFirst().first?.components(separatedBy: "\n## ")[0] ?? ""
    for block in section.components(separatedBy: "```").enumerated() where block.offset % 2 == 1 {
      let language = block.element.prefix { $0 != "\n" }
      blocks[String(language), default: ""] += block.element.dropFirst(language.count)
    }
  }

  /// All blocks of a language, one after the other.
  public func code(in language: String) -> String { blocks[language] ?? "" }

  /// Whether the documented type is part of a source.
  public func isPart(of source: String) -> Bool {
    let type = Self.normalised(code(in: "swift"))
    return !type.isEmpty && Self.normalised(source).contains(type)
  }

  /// The definitions that are not documented, and the documented ones that do not exist.
  public func differences(from definitions: [String]) -> [String] {
    var rest = Self.normalised(code(in: "sql"))
    var differences: [String] = []
    for definition in definitions.map(Self.normalised).sorted(by: { $0.count > $1.count }) {
      if !rest.contains(definition) { differences.append("not drawn: \(definition)") }
      rest = rest.replacingOccurrences(of: definition, with: "")
    }
    if !rest.allSatisfy(\.isWhitespace) { differences.append("not made: \(rest)") }
    return differences
  }

  /// Statements without white space and comments.
  private static func normalised(_ sql: String) -> String {
    sql.split(separator: "\n").map { $0.components(separatedBy: "--")[0] }.joined(separator: " ")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacingOccurrences(of: "( ", with: "(").replacingOccurrences(of: " )", with: ")")
      .replacingOccurrences(of: ";", with: "")
  }
}
