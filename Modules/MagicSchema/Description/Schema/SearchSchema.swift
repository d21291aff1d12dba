import MagicRuntime
import Magical

/// The properties of a type whose texts can be searched.
package struct SearchSchema: Sendable {
  /// How a column contains texts. The raw value is a part of the file format.
  package enum Kind: String, Sendable {
    /// The value is a text.
    case text = "t"
    /// The value is a JSON array of texts.
    case list = "l"
    /// The value is the name of a file that contains a text.
    case file = "f"
  }

  package struct Column: Sendable {
    /// The index of the column in the type.
    package let index: Int
    package let name: String
    package let kind: Kind
    package let weight: Double
  }

  package let columns: [Column]
  package let declaration: MagicSearch

  /// Returns nil if no property can be searched.
  init?(_ columns: [ColumnSchema], _ declaration: MagicSearch) {
    self.columns = columns.enumerated().compactMap { index, column in
      guard let weight = column.searchWeight, let kind = column.searchKind else { return nil }
      return Column(index: index, name: column.name, kind: kind, weight: weight)
    }
    guard !self.columns.isEmpty else { return nil }
    self.declaration = declaration
  }

  /// A text that determines the search index.
  var definition: String {
    let units =
      switch declaration.units {
      case .trigrams: "trigrams"
      case .words(let keepsAccents, let stemming):
        "words \(keepsAccents)\(stemming == nil ? "" : " stemmed")"
      }
    let prefixes = declaration.prefixLengths.map { " \($0.lowerBound)-\($0.upperBound)" } ?? ""
    return (["search", units + prefixes] + columns.flatMap { [$0.name, $0.kind.rawValue] })
      .joined(separator: "\u{1F}")
  }

  /// - Throws: `MagicError` with `.invalidSchema`.
  static func check(_ declaration: MagicSearch, of type: any MagicObject.Type) throws {
    guard let lengths = declaration.prefixLengths, lengths.lowerBound < 1 || lengths.upperBound > 20
    else { return }
    throw MagicError(
      .invalidSchema, "The lengths of the prefixes of a search are not from 1 to 20.",
      type: TypeName.unqualified(type))
  }
}

extension PropertySchema {
  /// The weight of the property in the scores of a search; nil if it is not searched.
  var searchWeight: Double? {
    for case .searchable(let weight) in options.map(\.kind) { return weight }
    return nil
  }
}

extension ColumnSchema {
  /// How the column contains texts; nil if it contains none.
  var searchKind: SearchSchema.Kind? {
    if isFile {
      let content = (valueType as? any LazyValue.Type)?.fileContent ?? valueType
      return (content as? any FileValue.Type)?.isText == true ? .file : nil
    }
    if isRowID || codec == .link { return nil }
    if valueType == [String].self || valueType == Set<String>.self { return .list }
    return storageClass == .text ? .text : nil
  }

  /// The reason why the property cannot be searched; nil if it can, or need not.
  var searchProblem: String? {
    guard let weight = searchWeight else { return nil }
    guard searchKind != nil else { return Self.unsearchable }
    return weight.isFinite && weight > 0
      ? nil : "The weight of a searchable property is not a positive number."
  }

  static let unsearchable =
    "Only texts can be searched: String and other values that are stored as text, [String], "
    + "Set<String> and MagicAsset<String>. Remove the option searchable."
}

extension LazyValue {
  fileprivate static var fileContent: Any.Type { Content.self }
}
