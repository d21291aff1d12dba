package import MagicSchema

extension EngineReader {
  /// An engine without search.
  package func textSplitter(of schema: ObjectSchema) throws -> any TextSplitter {
    throw MagicError.noSearch(schema)
  }
}
