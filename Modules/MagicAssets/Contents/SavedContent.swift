import MagicFiles
import MagicSchema

/// Content that was fetched, by name.
final class SavedContent: AssetContent, @unchecked Sendable {
  /// Whose content it is, for errors.
  private let property: (schema: ObjectSchema, column: Int)?

  init(_ place: Place, property: (ObjectSchema, Int)?) {
    self.property = property
    super.init(place: place)
  }

  override var pathExtension: String? {
    places.first.flatMap { AssetName($0.name)?.pathExtension }
  }

  override func failure(
    _ code: MagicError.Code, _ message: String, _ cause: (any Error)?
  ) -> MagicError {
    MagicError(
      code, message, type: property?.schema.typeName,
      property: property.map { $0.schema.columns[$0.column].property }, cause: cause)
  }
}
