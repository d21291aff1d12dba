/// The changes that are recorded in transactions, for one generation of the set of observers.
package struct RecordingScope {
  package var generation: UInt64 = 0
  /// The filter of the recording, or nil if nothing is recorded.
  package var filter: Shared?
  /// Whether the transaction may have written.
  package var hasWritten = true

  /// A filter that many transactions share.
  package final class Shared: Sendable {
    package let value: ObservationFilter

    package init(_ value: ObservationFilter) { self.value = value }
  }

  package init(generation: UInt64 = 0, filter: Shared? = nil, hasWritten: Bool = true) {
    self.generation = generation
    self.filter = filter
    self.hasWritten = hasWritten
  }
}
