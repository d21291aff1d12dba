public import MagicQuery
public import MagicSchema
public import MagicStore
public import Observation

/// The objects that a query finds, kept up to date for a user interface and whatever else observes.
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
/// A result is set after every commit that made it another one, as `values()` gives them. Its work
/// ends with the last reference to it; until then it keeps the database open, unless that is closed,
/// which leaves the last results.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
public final class MagicLiveQuery<Model: MagicObject> {
  /// The objects, none until they are there for the first time. Those of an earlier query, or from
  /// before an error, stay until others come.
  public private(set) var results: [Model] = []
  /// Whether the first result is awaited, or the first one of a query that was set.
  public private(set) var isLoading = true
  /// Why nothing comes any more, until ``reload()`` or another query; nil where all is well.
  public private(set) var error: (any Error)?

  @ObservationIgnored private let live = LiveValues<[Model]>()
  @ObservationIgnored private var makeValues: () -> MagicValues<[Model]>

  /// The objects of a query, from now on.
  public init<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    _ query: MagicQuery<Model, Source>
  ) {
    makeValues = { query.values() }
    follow()
  }

  /// The objects of another query, from now on. Those there are stay until the first result comes.
  public func setQuery<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    _ query: MagicQuery<Model, Source>
  ) {
    makeValues = { query.values() }
    reload()
  }

  /// Starts again, such as after an error.
  public func reload() {
    if !isLoading { isLoading = true }
    if error != nil { error = nil }
    follow()
  }

  private func follow() {
    live.follow(makeValues(), for: self) { $0.take($1) }
  }

  private func take(_ news: LiveValues<[Model]>.News) {
    switch news {
    case .value(let objects): results = objects
    case .failure(let reason): error = reason
    case .equal: break
    }
    if isLoading { isLoading = false }
  }
}
