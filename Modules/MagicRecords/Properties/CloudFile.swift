import Foundation
import MagicAssets
import MagicSchema

/// An asset as a field with a file.
protocol CloudFile: Sendable {
  var hasValue: Bool { get }
  /// The file; nil if the asset is not saved.
  var path: URL? { get }
  var pathExtension: String? { get }

  init()
  init(contentsOf file: URL, pathExtension: String?)
}

extension MagicAsset: CloudFile {}

/// A property whose value is an asset that is not lazy.
protocol CloudFileProperty: ColumnSchema {
  /// Returns the asset; nil if the property has none.
  func file(of property: PropertyReference) -> (any CloudFile)?

  /// Returns a closure that sets the property to the asset of a file, or to none.
  func assignment(
    of file: URL?, pathExtension: String?, to property: PropertyReference
  ) -> () -> Void
}

extension FileColumn: CloudFileProperty {
  func file(of property: PropertyReference) -> (any CloudFile)? {
    property.load(Value.self) as? any CloudFile
  }

  func assignment(
    of file: URL?, pathExtension: String?, to property: PropertyReference
  ) -> () -> Void {
    guard let type = Value.self as? any CloudFile.Type else { return {} }
    let value =
      file.map { type.init(contentsOf: $0, pathExtension: pathExtension) }
      ?? (isNullable ? nil : type.init())
    return { property.boxForChange(Value.self).store(value as? Value) }
  }
}
