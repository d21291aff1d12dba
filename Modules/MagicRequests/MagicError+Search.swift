package import MagicSchema

extension MagicError {
  /// The error of an engine without search.
  package static func noSearch(_ schema: ObjectSchema?) -> MagicError {
    MagicError(
      .unsupported, "This kind of database cannot search texts.",
      type: schema?.typeName)
  }
}
