import MagicQuery
public import Magical
public import MagicSchema
public import MagicStore
public import Observation

/// An observable object that keeps one stored object up to date, for a user interface or other
/// observers.
///
/// ```swift
/// let live = MagicLiveObject(of: Person.self, primary: ada.id, in: magic)
/// print(live.object?.name ?? "not loaded yet")
/// ```
///
/// After each commit that changes the object, or an object that it refers to, ``object`` is set to
/// a new instance. Earlier instances are not changed. Updates end when this `MagicLiveObject` is
/// deallocated. Until then it keeps the database open. If the database is closed by `close()`,
/// updates end, and ``object`` keeps the last instance.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
public final class MagicLiveObject<Model: MagicObject> {
  /// The object; nil until it is loaded, and after it is removed.
  public private(set) var object: Model?
  /// Whether the first result is still being loaded.
  public private(set) var isLoading = true
  /// The error that ended updates until ``reload()`` is called; nil if there is none.
  public private(set) var error: (any Error)?

  @ObservationIgnored private let live = LiveValues<[Model]>()
  @ObservationIgnored private let makeValues: () -> MagicValues<[Model]>

  private init<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    _ query: MagicQuery<Model, Source>
  ) {
    makeValues = { query.values() }
    follow()
  }

  /// Observes the object that has a primary value, even if the value later belongs to another row.
  public convenience init<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    of type: Model.Type, primary: some MagicalPrimaryValue, in database: Source
  ) {
    self.init(database.query(type).row(primary: primary))
  }

  /// Observes the object with a row ID.
  public convenience init<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    of type: Model.Type, zIndex: ZIndex, in database: Source
  ) {
    self.init(database.query(type).row(zIndex))
  }

  /// Observes the stored state of an object: the row in which it was saved or from which it was
  /// fetched.
  ///
  /// ``error`` is `.notSaved` if the object has no row in this database.
  public convenience init<Source: AsyncMagicDatabaseReader & ObservableMagicDatabase>(
    _ object: Model, in database: Source
  ) {
    self.init(database.query(Model.self).row(of: object, in: database._observation.store))
  }

  /// Loads the object again and resumes updates, for example after an error.
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
    case .value(let objects): if object != nil || !objects.isEmpty { object = objects.first }
    case .failure(let reason): error = reason
    case .equal: break
    }
    if isLoading { isLoading = false }
  }
}
