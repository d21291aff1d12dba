/// The state of a file property at the time of a save.
package struct CapturedFile {
  package enum State {
    /// The property has no value, or nil.
    case unset
    /// A value without content, which has no file.
    case none
    case content(FileContent)
    /// The content is neither in memory nor in a fetched row, and cannot be saved here.
    case lost
  }

  package let state: State
  /// The save state of a lazy property.
  package let lazy: LazyCapture?

  package init(_ state: State, lazy: LazyCapture? = nil) {
    self.state = state
    self.lazy = lazy
  }
}
