public import MagicQuery
public import MagicSchema
public import MagicStore
public import Observation

/// An observable object that keeps the results of a query up to date, for a user interface or other
/// observers.
///
/// ```swift
/// let adults = MagicLiveQuery(magic.query(Person.self).where(\.$age >= 18).order(by: \.$name))
/// let names = withObservationTracking {
///   adults.results.map(\.name)
/// } onChange: {
///   print("there are others")
/// }
/// ```
///
/// After every commit that changes the result, ``results`` is set, by the same rules as `values()`.
/// Updates end when this `MagicLiveQuery` is deallocated. Until then it keeps the database open. If
/// the database is closed by `close()`, updates end, and ``results`` keeps the last objects.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
public final class MagicLiveQuery<Model: MagicObject> {
  /// The objects; empty until they are loaded for the first time. After an error or a change of the
  /// query, the previous objects remain until new ones are loaded.
  public private(set) var results: [Model] = []
  /// Whether the first result of the current query is still being loaded.
  public private(set) var isLoading = true
  /// The error that ended updates until ``reload()`` is called or another query is set; nil if
  /// there is none.
  public private(set) var error: (any Error)?

  @ObservationIgnored private let live = LiveValues<[Model]>()
  @ObservationIgnored private var makeValues: () -> MagicValues<[Model]>

  /// Observes the objects of a query.
  public init<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    _ query: MagicQuery<Model, Source>
  ) {
    makeValues = { query.values() }
    follow()
  }

  /// Observes the objects of another query. The current objects remain until its first result is
  /// loaded.
  public func setQuery<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    _ query: MagicQuery<Model, Source>
  ) {
    makeValues = { query.values() }
    reload()
  }

  /// Loads the objects again and resumes updates, for example after an error.
  public func reload() {
    if !isLoading { isLoading = true }
    if error != nil { error = nil }
    follow()
  }

  private func follow() {
    live.follow(makeValues(), for: self) { $0.apply($1) }
  }

  private func apply(_ update: LiveValues<[Model]>.Update) {
    switch update {
    case .value(let objects): results = objects
    case .failure(let reason): error = reason
    case .equal: break
    }
    if isLoading { isLoading = false }
  }
}
