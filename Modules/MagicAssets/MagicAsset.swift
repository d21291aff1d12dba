public import Foundation
import MagicEngine
import MagicFiles
public import MagicSchema
import MagicStore
public import Magical

/// A value that lies in a file of its own beside the database: for what is large.
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
/// The file is written when its object is saved, and belongs to the same transaction: it is complete
/// and on the disk before the row is, and goes when no row names it any more. Its content never
/// changes; another value is another asset with a file of its own. Fetching an object reads no file.
///
/// An asset without a value has no file.
public struct MagicAsset<Element: MagicAssetConvert & Sendable>: Sendable {
  package let content: FileContent?

  package init(_ content: FileContent?) { self.content = content }

  /// An asset without a value.
  public init() { content = nil }

  /// An asset with a value, whose file's name has no extension.
  ///
  /// The value stays in memory as long as this asset.
  public init(value: Element) {
    content = FileContent(ValueSource(value, pathExtension: nil))
  }

  /// An asset with a value.
  ///
  /// - Parameter pathExtension: what the file's name is to end with: 1–32 of `A–Z a–z 0–9 . _ -`,
  ///   not beginning with a point, without two points in a row. Saving anything else throws
  ///   `.cannotEncode`.
  public init(value: Element, pathExtension: String) {
    content = FileContent(ValueSource(value, pathExtension: pathExtension))
  }

  /// An asset with the content of a file, which is copied piece by piece when the asset is saved.
  ///
  /// The transaction lasts as long as that. For large files `asset(contentsOf:)` of a database copies
  /// before.
  ///
  /// - Parameter pathExtension: as in ``init(value:pathExtension:)``. Default: the file's own, where
  ///   it may be one.
  public init(contentsOf file: URL, pathExtension: String? = nil) {
    content = FileContent(CopySource(of: file, pathExtension: pathExtension))
  }

  /// The value, read from the file with every use; nil where there is none, and where the file cannot
  /// be read: ``load()`` says why.
  public var value: Element? { try? load() }

  /// Reads the value.
  ///
  /// A value that this asset was made with is given back from memory.
  ///
  /// - Returns: nil for an asset without a value.
  /// - Throws: `MagicError`: `.assetMissing` where the file is gone, `.cannotDecode` where its content
  ///   is no such value or is not whole, `.closed` where its database is closed, `.inputOutput`.
  /// - Complexity: O(n) in the size of the file, which is read at once and blocks the thread.
  public func load() throws -> Element? {
    guard let content else { return nil }
    if let known = content.source as? ValueSource<Element> { return known.value }
    let data = try content.readAll()
    do {
      return try Element(assetData: data)
    } catch {
      throw content.failure(
        .cannotDecode,
        "The content of the asset's file is no \(Element.self): \(Self.reason(error)).",
        error)
    }
  }

  /// Whether there is a value, read or not.
  public var hasValue: Bool { content != nil }

  /// Where the file lies; nil before the asset is saved, without a value, and when its database is
  /// closed.
  ///
  /// The path stays while the row names the file. The file is the database's: read it, and leave it.
  public var path: URL? { content?.location }

  /// The text for people: the error of a user's own type may show values.
  private static func reason(_ error: any Error) -> String {
    (error as? MagicalError).map { "\($0)" } ?? "\(type(of: error))"
  }
}

extension MagicAsset: FileValue {
  /// The name of the file; "" for an asset without a value. One that is not saved throws.
  public var storedValue: String {
    get throws {
      guard let content else { return "" }
      guard let place = content.places.first else {
        throw MagicalError.cannotEncode(
          "an asset is saved with its object, and this one is not saved")
      }
      return place.name
    }
  }

  /// The asset of a file of the database that is being read.
  public init(storedValue: String) {
    let store = StoreToken.current ?? StoreToken(rawValue: 0)
    content =
      storedValue.isEmpty
      ? nil : FileContent(at: FileContent.Place(store: store, name: storedValue))
  }

  /// The name lies in the row, and nothing else.
  @inlinable public static var _packing: _MagicalPacking { .bytes }

  /// Makes the asset of a fetched row.
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
  /// The type and the file's name, never the content.
  public var description: String {
    let state = content.map { $0.places.first?.name ?? "not saved" } ?? "no value"
    return "MagicAsset<\(Element.self)>(\(state))"
  }
}
