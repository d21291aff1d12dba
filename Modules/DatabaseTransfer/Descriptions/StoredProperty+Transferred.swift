package import MagicSchema

extension StoredProperty {
  /// The property as a copy describes it.
  package var transferred: TransferredTable.Property {
    TransferredTable.Property(
      name: property, column: column, swiftType: swiftType, form: formText, details: detailsText)
  }

  package init(_ property: TransferredTable.Property) {
    self.init(
      property: property.name, column: property.column, swiftType: property.swiftType,
      formText: property.form, detailsText: property.details)
  }
}
