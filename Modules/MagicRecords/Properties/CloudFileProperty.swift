import Foundation
import MagicAssets
import MagicSchema

/// A property whose value is an asset that is not lazy.
protocol CloudFileProperty: ColumnSchema {
  /// Returns the content of the asset; nil if the property has none.
  func content(of property: PropertyReference) -> FileContent?

  /// Returns a closure that sets the property to the asset of a file, or to none.
  func assignment(
    of file: URL?, pathExtension: String?, to property: PropertyReference
  ) -> () -> Void
}

extension FileColumn: CloudFileProperty {
  func content(of property: PropertyReference) -> FileContent? {
    property.load(Value.self)?.content
  }

  func assignment(
    of file: URL?, pathExtension: String?, to property: PropertyReference
  ) -> () -> Void {
    let value =
      file.map { Value(FileContent(copying: $0, pathExtension: pathExtension)) }
      ?? (isNullable ? nil : Value(nil))
    return { property.boxForChange(Value.self).store(value) }
  }
}
