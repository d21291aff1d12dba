// Not built on Linux, where the tests run.
#if canImport(SwiftUI)
  public import MagicQuery
  public import MagicSchema
  public import MagicStore
  public import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  extension EnvironmentValues {
    /// The database that views ask, such as a `MagicData`. Default: nil.
    public var magicDatabase: (any AsyncMagicDatabaseReader & ObservableMagicDatabase)? {
      get { self[MagicDatabaseKey.self] }
      set { self[MagicDatabaseKey.self] = newValue }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private struct MagicDatabaseKey: EnvironmentKey {
    static var defaultValue: (any AsyncMagicDatabaseReader & ObservableMagicDatabase)? { nil }
  }

  /// The objects that a query finds, kept up to date for a view.
  ///
  /// The database is the environment's, `.environment(\.magicDatabase, magic)`. A view keeps the query
  /// that it was made with first; the projected value changes it.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor @propertyWrapper
  public struct MagicResults<Model: MagicObject>: DynamicProperty {
    @Environment(\.magicDatabase) private var database
    @State private var kept = KeptQuery<Model>()
    private let query: MagicQuery<Model, MagicUnbound>

    /// The objects of a query.
    public init(_ query: MagicQuery<Model, MagicUnbound>) { self.query = query }

    /// All objects of a type.
    public init(_ type: Model.Type) { self.init(MagicQuery(type)) }

    /// The objects, none without a database.
    public var wrappedValue: [Model] { projectedValue?.results ?? [] }

    /// What keeps the objects up to date; nil without a database.
    public var projectedValue: MagicLiveQuery<Model>? {
      guard let database else { return nil }
      return kept.live(query, in: database)
    }
  }

  /// The live query of a view, for as long as the view is there.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  private final class KeptQuery<Model: MagicObject> {
    private var store: MagicObjectStore?
    private var live: MagicLiveQuery<Model>?

    func live(
      _ query: MagicQuery<Model, MagicUnbound>,
      in database: some AsyncMagicDatabaseReader & ObservableMagicDatabase
    ) -> MagicLiveQuery<Model> {
      let store = database._observation.store
      if let live, store === self.store { return live }
      let live = MagicLiveQuery(database.query(query))
      (self.store, self.live) = (store, live)
      return live
    }
  }
#endif
