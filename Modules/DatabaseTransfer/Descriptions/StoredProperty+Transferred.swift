package import SQLiteTables

extension StoredProperty {
  /// The property as a copy describes it.
  package var transferred: TransferredTable.Property {
    TransferredTable.Property(
      name: property, column: column, swiftType: swiftType, form: formText, details: detailsText)
  }
}
