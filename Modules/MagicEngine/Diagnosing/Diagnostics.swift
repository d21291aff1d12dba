import Dispatch
import MagicRuntime
package import MagicSchema

/// Detects slow access patterns on one database, over all its connections.
package final class Diagnostics: Sendable {
  package let options: MagicDiagnostics
  private let state = Mutex(State())

  private struct State: Sendable {
    var reported: Set<Cause> = []
    var lookUps: [Cause: (count: Int, start: UInt64)] = [:]
  }

  private enum Cause: Hashable, Sendable {
    case statement(String)
    case type(Int)
    case key(Int)
    case reverse(Int, property: String)
  }

  package init(_ options: MagicDiagnostics) { self.options = options }

  /// Whether a statement was already reported.
  package func hasReported(_ sql: String) -> Bool {
    state.withLock { $0.reported.contains(.statement(sql)) }
  }

  /// Reports a statement. Each statement is reported once.
  package func report(_ diagnosis: MagicDiagnosis, of sql: String) {
    if state.withLock({ $0.reported.insert(.statement(sql)).inserted }) {
      options.report(diagnosis)
    }
  }

  /// Records the lookup of an object of a type.
  ///
  /// - Parameter isByKey: whether it is looked up by its key, not by its primary.
  package func noteLookUp(of schema: ObjectSchema, byKey isByKey: Bool) {
    guard isTooMany(isByKey ? .key(schema.ordinal) : .type(schema.ordinal)) else { return }
    options.report(
      MagicDiagnosis(
        .singleLookUps,
        "\(options.lookUpLimit) objects of type \(schema.typeName) were looked up one by one "
          + "within \(options.lookUpSeconds) s.",
        advice: "object(of: \(schema.typeName).self, "
          + (isByKey ? "keys: keys)" : "primaries: primaries)")))
  }

  /// Records a lookup of the objects of a type that refer to one object.
  ///
  /// - Parameter advice: returns the better call. Called at most once.
  package func noteLookUp(
    of schema: ObjectSchema, along property: PropertySchema, advice: () -> String
  ) {
    guard isTooMany(.reverse(schema.ordinal, property: property.property)) else { return }
    options.report(
      MagicDiagnosis(
        .singleReverseLookUps,
        "The objects of type \(schema.typeName) that refer to one object through "
          + "\(property.property) were looked up one by one, \(options.lookUpLimit) times "
          + "within \(options.lookUpSeconds) s.",
        advice: advice()))
  }

  /// Counts a lookup. Returns true once, when the number of lookups in the time window reaches the
  /// limit.
  private func isTooMany(_ cause: Cause) -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    return state.withLock { state in
      guard !state.reported.contains(cause) else { return false }
      var entry = state.lookUps[cause] ?? (0, now)
      if Double(now &- entry.start) > options.lookUpSeconds * 1e9 { entry = (0, now) }
      entry.count += 1
      state.lookUps[cause] = entry
      guard entry.count >= options.lookUpLimit else { return false }
      state.lookUps[cause] = nil
      state.reported.insert(cause)
      return true
    }
  }
}
