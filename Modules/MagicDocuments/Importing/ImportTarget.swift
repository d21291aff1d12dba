import MagicExchange
import MagicSchema

/// A property that gets the values of a column of an imported file.
struct ImportTarget: Sendable {
  /// The name in Swift.
  let property: String
  /// The key in documents.
  let key: String
  /// The key as JSON, with its quotes and the colon after them.
  let json: [UInt8]
  /// The form of the values; nil if fields of CSV cannot contain them.
  let form: ImportedForm?
  let isOptional: Bool
  /// The name of the type of the values.
  let typeName: String
  /// The form of the values in a document in the form of flatted.
  let flattedForm: FlattedForm

  init(
    property: String, key: String, form: ImportedForm?, isOptional: Bool, typeName: String,
    flattedForm: FlattedForm
  ) {
    (self.property, self.key, self.form) = (property, key, form)
    (self.isOptional, self.typeName) = (isOptional, typeName)
    self.flattedForm = flattedForm
    var json: [UInt8] = []
    Array(key.utf8).withUnsafeBytes { JSONScalar.write(text: $0, to: &json) }
    self.json = json + ":".utf8
  }

  /// Returns the properties of a type.
  ///
  /// - Throws: `MagicError` with `.invalidSchema`.
  static func all(of layout: DocumentLayout) throws -> [ImportTarget] {
    try layout.properties.map { property in
      ImportTarget(
        property: property.schema.property, key: property.schema.documentKey,
        form: try (property.schema as? any ImportedProperty)?.importedForm,
        isOptional: (property.schema as? ColumnSchema)?.isNullable ?? false,
        typeName: "\(property.schema.valueType)",
        flattedForm: try FlattedForm(property.schema))
    }
  }
}
