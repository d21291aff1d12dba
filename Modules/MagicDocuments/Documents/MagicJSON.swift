public import Foundation

/// A JSON document with objects of a database, in UTF-8.
///
/// ```swift
/// let guest = try await magic.update(json: MagicJSON(body), as: Guest.self)
/// print(try await magic.json(of: guest))
/// // {"id":"A1","full_name":"Ann","born":null,"friends":[{"$ref":"B2"}]}
/// let graph = try await magic.json(of: guest, depth: .graph)
/// try await other.update(json: graph, as: Guest.self)
/// ```
///
/// A document that is created from data is not checked before it is used.
public struct MagicJSON: Sendable, Hashable {
  /// The document in UTF-8.
  public let data: Data

  /// Creates a document from JSON in UTF-8, for example the body of a request.
  public init(_ data: Data) { self.data = data }

  /// Creates a document from JSON.
  public init(_ text: String) { data = Data(text.utf8) }

  /// The document as a text.
  public var text: String { String(decoding: data, as: UTF8.self) }
}

extension MagicJSON: CustomStringConvertible {
  /// The document as a text.
  public var description: String { text }
}

extension MagicJSON {
  /// How many of the objects that an object refers to are contained in its document.
  ///
  /// With a limited depth, an object is contained where it is nearest to the object of the call. An
  /// object that is not contained, or that the document contains at another place, is a reference:
  /// `{"$ref": …}` with its primary value or, if its type has no primary, its row ID.
  public struct Depth: Hashable, Sendable {
    /// The number of levels of objects below the object; nil for all.
    let levels: Int?

    /// The object alone. All relationships are references.
    public static var links: Depth { Depth(levels: 0) }

    /// The object, and the objects to which it refers, directly or through other objects.
    ///
    /// - Parameter levels: the length of the longest path that is followed, at least 0. With 1, the
    ///   members of the object's relationships are contained.
    public static func members(_ levels: Int) -> Depth { Depth(levels: max(0, levels)) }

    /// All objects that can be reached, also through lazy relationships, and the contents of assets.
    /// An empty database that is updated from the document has the same objects.
    public static var graph: Depth { Depth(levels: nil) }
  }
}
