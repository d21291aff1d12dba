import MagicEngine
import SQLiteEngine

extension RecordingScope {
  /// The scope of a body that was recorded.
  init(of body: RecordedBody) {
    self.init(
      generation: body.generation, filter: body.scope as? Shared, hasWritten: body.hasWritten)
  }
}
