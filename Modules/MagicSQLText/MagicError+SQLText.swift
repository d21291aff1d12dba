package import MagicSchema

extension MagicError {
  package static func invalidSQL(_ sentence: String) -> MagicError {
    MagicError(.invalidQuery, sentence)
  }

  package static func noParameter(_ name: String) -> MagicError {
    .invalidSQL("The SQL has no parameter :\(name), but a value was bound to it.")
  }
}
