import MagicEngine
import SQLiteEngine

extension RecordingScope {
  /// Creates the scope with which a body was recorded.
  init(of body: RecordedBody) {
    self.init(
      generation: body.generation, filter: body.scope as? Shared, hasWritten: body.hasWritten)
  }
}
