/// A type that one column of a result can be read as: a ``Magical`` type, or an optional one for a
/// column that may be NULL.
public protocol MagicalColumn: SendableMetatype {
  /// Reads the reader's current column.
  static func _column(from reader: borrowing some MagicalReader) throws -> Self
}

extension Magical {
  /// Reads the value from its column value; NULL throws.
  public static func _column(from reader: borrowing some MagicalReader) throws -> Self {
    try read(from: reader)
  }
}

extension Optional: MagicalColumn where Wrapped: Magical {
  /// Reads the value; NULL becomes nil.
  public static func _column(from reader: borrowing some MagicalReader) throws -> Wrapped? {
    reader.storageClass == nil ? nil : try Wrapped.read(from: reader)
  }
}
