package import MagicSchema

extension MagicError {
  /// The error of a save or removal of an object whose row has another version.
  package static func conflict(
    _ schema: ObjectSchema, rowID: Int64, version: Int64, stored: Int64
  ) -> MagicError {
    let zIndex = ZIndex(rawValue: rowID)
    return MagicError(
      .conflict,
      "Row \(zIndex) has version \(stored), and the object has version \(version): the row was changed "
        + "since the object was fetched or saved. Nothing was written. Fetch the object again, and "
        + "repeat or merge the change.",
      type: schema.typeName, property: schema.version.map { schema.columns[$0].property },
      conflict: MagicConflict(
        zIndex: zIndex, version: Int(clamping: version), storedVersion: Int(clamping: stored)))
  }
}
