import MagicEngine
import MagicQuery
public import MagicSchema
public import MagicStore

/// An object of any type that a search has found.
public struct MagicSearchResult: Sendable {
  /// The object.
  public let object: any MagicObject
  /// How well the object matches: larger is better.
  public let score: Double
}

extension AsyncMagicDatabaseReader {
  /// Searches objects of several types, and returns the best ones of all.
  ///
  /// ```swift
  /// let results = try await magic.search("swift", in: Essay.self, Writer.self, limit: 10)
  /// ```
  ///
  /// The scores of a type depend on the number and the lengths of its texts, so the order of objects
  /// of different types is only approximate.
  ///
  /// - Parameters:
  ///   - text: what a person types, as for `matching(_:)` of a query.
  ///   - limit: the maximum number of objects.
  public func search<each Model: MagicObject>(
    _ text: String, in types: repeat (each Model).Type, limit: Int = 20
  ) async throws -> [MagicSearchResult] {
    var searches: [@Sendable (any EngineReader) throws -> [MagicSearchResult]] = []
    repeat searches.append(try Self.search((each types), text, limit))
    let all = searches
    return try await _read { access in
      try access.reader.inSnapshot {
        let found = try all.flatMap { try $0(access.reader) }
        return Array(found.sorted { $0.score > $1.score }.prefix(limit))
      }
    }
  }

  private static func search<Model: MagicObject>(
    _ type: Model.Type, _ text: String, _ limit: Int
  ) throws -> @Sendable (any EngineReader) throws -> [MagicSearchResult] {
    let request = try HitsRequest(MagicQuery(type).matching(text).limit(limit))
    return { reader in
      try request.read(on: reader).map { MagicSearchResult(object: $0.object, score: $0.score) }
    }
  }
}
