/// What a property of files has at one moment, to be saved.
package struct CapturedFile {
  package enum State {
    /// Nothing was ever set, or nil.
    case unset
    /// A value without content, for which there is no file.
    case none
    case content(FileContent)
    /// It is neither in memory nor in a row that was fetched.
    case lost
  }

  package let state: State
  /// Of a lazy property, what the save does to it.
  package let lazy: LazyCapture?

  init(_ state: State, lazy: LazyCapture? = nil) {
    self.state = state
    self.lazy = lazy
  }
}
