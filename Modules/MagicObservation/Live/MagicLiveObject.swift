import MagicQuery
public import Magical
public import MagicSchema
public import MagicStore
public import Observation

/// One object, kept up to date for a user interface and whatever else observes.
///
/// ```swift
/// let live = MagicLiveObject(of: Person.self, primary: ada.id, in: magic)
/// print(live.object?.name ?? "not there yet")
/// ```
///
/// Each change of it, or of what it refers to, brings a new instance, independent of the one before.
/// Its work ends with the last reference to it; until then it keeps the database open, unless that is
/// closed, which leaves the last instance.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
public final class MagicLiveObject<Model: MagicObject> {
  /// The object; nil until it is there, and when it is removed.
  public private(set) var object: Model?
  /// Whether the first result is awaited.
  public private(set) var isLoading = true
  /// Why nothing comes any more, until ``reload()``; nil where all is well.
  public private(set) var error: (any Error)?

  @ObservationIgnored private let live = LiveValues<[Model]>()
  @ObservationIgnored private let makeValues: () -> MagicValues<[Model]>

  private init<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    _ query: MagicQuery<Model, Source>
  ) {
    makeValues = { query.values() }
    follow()
  }

  /// The object that has a primary value, whichever row that is.
  public convenience init<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    of type: Model.Type, primary: some MagicalPrimaryValue, in database: Source
  ) {
    self.init(database.query(type).row(primary: primary))
  }

  /// The object with a z-index.
  public convenience init<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    of type: Model.Type, zIndex: ZIndex, in database: Source
  ) {
    self.init(database.query(type).row(zIndex))
  }

  /// What is stored of an object: the row that it was saved in or fetched from.
  ///
  /// ``error`` is `.notSaved` where there is none in this database.
  public convenience init<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    _ object: Model, in database: Source
  ) {
    self.init(database.query(Model.self).row(of: object, in: database._observation.store))
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
    case .value(let objects): if object != nil || !objects.isEmpty { object = objects.first }
    case .failure(let reason): error = reason
    case .equal: break
    }
    if isLoading { isLoading = false }
  }
}
