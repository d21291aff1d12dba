/// What one column of a result is read as: a ``Magical`` value, or an optional one where the column
/// may be NULL.
public protocol MagicalColumn {
  /// Reads the column at hand.
  static func _column(from reader: borrowing some MagicalReader) throws -> Self
}

extension Magical {
  /// Reads the value from its stored form; NULL throws.
  public static func _column(from reader: borrowing some MagicalReader) throws -> Self {
    try read(from: reader)
  }
}

extension Optional: MagicalColumn where Wrapped: Magical {
  /// Reads NULL as nil.
  public static func _column(from reader: borrowing some MagicalReader) throws -> Wrapped? {
    reader.storageClass == nil ? nil : try Wrapped.read(from: reader)
  }
}
