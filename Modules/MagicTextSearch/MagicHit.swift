import MagicEngine
public import MagicAssets
public import MagicExpressions
public import MagicSchema

/// An object that a search has found.
///
/// ```swift
/// for hit in try await magic.query(Essay.self).matching("swift").hits() {
///   print(hit.highlighted(\.$title).marked("<b>", "</b>"), hit.score)
///   if let snippet = hit.snippet(\.$body) { print(snippet) }  // …an essay about [Swift] and…
/// }
/// ```
public struct MagicHit<Model: MagicObject>: Sendable {
  /// The object.
  public let object: Model
  /// How well the object matches: larger is better.
  public let score: Double
  let highlighter: Highlighter

  /// Returns the text of a property, with the places of the words that the search has found. The text
  /// is the present one of the object.
  public func highlighted(_ path: MagicPath<Model, String>) -> MagicHighlight {
    highlighter.highlight(text(path), column(path))
  }

  /// The same for an optional property; nil if it is nil.
  public func highlighted(_ path: MagicPath<Model, String?>) -> MagicHighlight? {
    text(path).map { highlighter.highlight($0, column(path)) }
  }

  /// The same for the texts of a list, in their order.
  public func highlighted(_ path: MagicPath<Model, [String]>) -> [MagicHighlight] {
    let texts = object[keyPath: path].reference.load([String].self) ?? []
    return texts.map { highlighter.highlight($0, column(path)) }
  }

  /// The same for a text in a file, which is read; nil if there is no file, or if it cannot be read.
  public func highlighted(_ path: MagicPath<Model, MagicAsset<String>>) -> MagicHighlight? {
    text(path).map { highlighter.highlight($0, column(path)) }
  }

  /// Returns the part of a property's text that contains most of the words that the search has found.
  ///
  /// - Parameter words: the maximum number of words.
  public func snippet(_ path: MagicPath<Model, String>, words: Int = 24) -> MagicHighlight {
    highlighter.snippet(text(path), column(path), words)
  }

  /// The same for an optional property; nil if it is nil.
  public func snippet(_ path: MagicPath<Model, String?>, words: Int = 24) -> MagicHighlight? {
    text(path).map { highlighter.snippet($0, column(path), words) }
  }

  /// The same for a text in a file, which is read; nil if there is no file, or if it cannot be read.
  public func snippet(
    _ path: MagicPath<Model, MagicAsset<String>>, words: Int = 24
  ) -> MagicHighlight? {
    text(path).map { highlighter.snippet($0, column(path), words) }
  }

  private func text(_ path: MagicPath<Model, String>) -> String {
    object[keyPath: path].reference.load(String.self) ?? ""
  }

  private func text(_ path: MagicPath<Model, String?>) -> String? {
    object[keyPath: path].reference.load(String.self)
  }

  private func text(_ path: MagicPath<Model, MagicAsset<String>>) -> String? {
    object[keyPath: path].reference.load(MagicAsset<String>.self)?.value
  }

  /// The index of a property in the search index.
  private func column<Value>(_ path: MagicPath<Model, Value>) -> Int? {
    guard case .column(let column) = QueryExpression(path).tree else { return nil }
    return try? ObjectSchema.of(Model.self).search?.columns
      .firstIndex { $0.index == column.property }
  }
}
