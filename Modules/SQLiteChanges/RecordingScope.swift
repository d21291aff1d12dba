import SQLiteEngine

/// What is recorded of transactions, as of one version of the set of observers.
struct RecordingScope {
  var generation: UInt64 = 0
  /// Nil where nothing is recorded.
  var filter: Shared?
  /// Whether the transaction may have written.
  var hasWritten = true

  /// Many transactions have one.
  final class Shared: Sendable {
    let value: ObservationFilter

    init(_ value: ObservationFilter) { self.value = value }
  }
}

extension RecordingScope {
  /// The scope of a body that was recorded.
  init(of body: RecordedBody) {
    generation = body.generation
    filter = body.scope as? Shared
    hasWritten = body.hasWritten
  }
}
