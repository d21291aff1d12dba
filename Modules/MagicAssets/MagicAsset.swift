public import Foundation
import MagicEngine
public import MagicSchema
import MagicStore
public import Magical

/// A value that is stored in its own file in a folder next to the database. Used for large values.
///
/// ```swift
/// struct Photo: MagicObject {
///   @PrimaryMagicValue var id: UUID
///   @MagicValue var image: MagicAsset<Data>
///   @OptionMagicValue var caption: MagicAsset<String>?
///
///   init() { image = .init() }
/// }
/// ```
///
/// The file is written when its object is saved, as part of the same transaction: the file is
/// complete and on disk before the row is committed. It is removed when no row refers to it any
/// more. The content of a file never changes: a new value is a new asset with its own file.
/// Fetching an object does not read the file.
///
/// An asset without a value has no file.
public struct MagicAsset<Element: MagicAssetConvert & Sendable>: Sendable {
  package let content: FileContent?

  package init(_ content: FileContent?) { self.content = content }

  /// Creates an asset without a value.
  public init() { content = nil }

  /// Creates an asset with a value. The name of its file has no extension.
  ///
  /// The value stays in memory as long as a copy of the asset exists.
  public init(value: Element) {
    content = FileContent(ValueSource(value, pathExtension: nil))
  }

  /// Creates an asset with a value.
  ///
  /// - Parameter pathExtension: the extension of the file name: 1 to 32 characters of
  ///   `A–Z a–z 0–9 . _ -`, no period at the beginning, and no two periods in a row. With any other
  ///   extension, saving the asset throws `.cannotEncode`.
  public init(value: Element, pathExtension: String) {
    content = FileContent(ValueSource(value, pathExtension: pathExtension))
  }

  /// Creates an asset with the content of a file, which is copied in pieces when the asset is
  /// saved.
  ///
  /// The transaction that saves the asset lasts until the file is copied. For large files, use
  /// `asset(contentsOf:)` of a database, which copies the file before the transaction.
  ///
  /// - Parameter pathExtension: as in ``init(value:pathExtension:)``. Default: the extension of the
  ///   given file, if it is valid.
  public init(contentsOf file: URL, pathExtension: String? = nil) {
    content = FileContent(copying: file, pathExtension: pathExtension)
  }

  /// The value, which is read from the file on each access. Nil if there is no value, or if the
  /// file cannot be read. ``load()`` throws the error instead.
  ///
  /// Setting it replaces the asset by a new one with the same ``pathExtension``. Setting nil replaces
  /// it by an asset without a value.
  public var value: Element? {
    get { try? load() }
    set {
      let pathExtension = pathExtension
      self = MagicAsset(
        newValue.map { FileContent(ValueSource($0, pathExtension: pathExtension)) })
    }
  }

  /// The extension of the file name; nil for none, and for an asset without a value.
  public var pathExtension: String? { content?.pathExtension }

  /// Reads the value.
  ///
  /// If the asset was created with a value, that value is returned from memory.
  ///
  /// - Returns: nil for an asset without a value.
  /// - Throws: `MagicError`: `.assetMissing` if the file does not exist, `.cannotDecode` if its
  ///   content is invalid or incomplete, `.closed` if its database is closed, `.inputOutput`.
  /// - Complexity: O(n) in the size of the file. The entire file is read, and the calling thread is
  ///   blocked.
  public func load() throws -> Element? {
    guard let content else { return nil }
    if let known = content.source as? ValueSource<Element> { return known.value }
    let data = try content.readAll()
    do {
      return try Element(assetData: data)
    } catch {
      throw content.failure(
        .cannotDecode,
        "The content of the asset file does not decode as \(Element.self): \(Self.reason(error)).",
        error)
    }
  }

  /// Whether there is a value, regardless of whether it was read.
  public var hasValue: Bool { content != nil }

  /// The URL of the file. Nil if the asset is not saved or has no value, or if its database is
  /// closed.
  ///
  /// The URL is valid as long as a row refers to the file. The file belongs to the database: read
  /// it, but do not change or remove it.
  public var path: URL? { content?.location }

  /// Returns the error as text. An error of the user's own type is replaced by its type name,
  /// because its text may contain values.
  private static func reason(_ error: any Error) -> String {
    (error as? MagicalError).map { "\($0)" } ?? "\(type(of: error))"
  }
}

extension MagicAsset: FileValue {
  package static var isText: Bool { Element.self == String.self }

  /// The name of the file, or "" for an asset without a value. Throws if the asset is not saved.
  public var storedValue: String {
    get throws {
      guard let content else { return "" }
      guard let place = content.places.first else {
        throw MagicalError.cannotEncode(
          "the asset is not saved; save its object first")
      }
      return place.name
    }
  }

  /// Creates the asset of a file in the database that is being read.
  public init(storedValue: String) {
    let store = StoreToken.current ?? StoreToken(rawValue: 0)
    content =
      storedValue.isEmpty
      ? nil : FileContent(at: FileContent.Place(store: store, name: storedValue))
  }

  /// The row contains the name of the file.
  @inlinable public static var _packing: _MagicalPacking { .bytes }

  /// Creates the asset of a fetched row.
  public static func _unpack(_ value: _MagicalPackedValue) -> MagicAsset {
    let name = value.bytes
    guard !name.isEmpty else { return MagicAsset() }
    let row = PackedRow(address: UnsafeMutableRawPointer(mutating: value.row)).chunk
    let column = (value.slot - value.row) / _MagicalPackedValue.slotSize
    return MagicAsset(
      FileContent(
        at: FileContent.Place(store: row.store, name: String(decoding: name, as: UTF8.self)),
        of: (row.schema, column)))
  }
}

extension MagicAsset: CustomStringConvertible {
  /// The type and the name of the file, never the content.
  public var description: String {
    let state = content.map { $0.places.first?.name ?? "not saved" } ?? "no value"
    return "MagicAsset<\(Element.self)>(\(state))"
  }
}
