// Not built on Linux, where the tests run.
#if canImport(SwiftUI)
  public import MagicQuery
  public import MagicSchema
  public import MagicStore
  public import SwiftUI

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  extension EnvironmentValues {
    /// The database whose objects views show, such as a `MagicData`. Default: nil.
    public var magicDatabase: (any AsyncMagicDatabaseReader & ObservableMagicDatabase)? {
      get { self[MagicDatabaseKey.self] }
      set { self[MagicDatabaseKey.self] = newValue }
    }
  }

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  private struct MagicDatabaseKey: EnvironmentKey {
    static var defaultValue: (any AsyncMagicDatabaseReader & ObservableMagicDatabase)? { nil }
  }

  /// A property wrapper that keeps the objects of a query up to date for a view.
  ///
  /// The database is a value of the environment: `.environment(\.magicDatabase, magic)`. A view
  /// keeps the query with which it was first created. To change the query, call `setQuery(_:)` of
  /// the projected value.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor @propertyWrapper
  public struct MagicResults<Model: MagicObject>: DynamicProperty {
    @Environment(\.magicDatabase) private var database
    @State private var storage = LiveQueryStorage<Model>()
    private let query: MagicQuery<Model, MagicUnbound>

    /// Creates a wrapper for the objects of a query.
    public init(_ query: MagicQuery<Model, MagicUnbound>) { self.query = query }

    /// Creates a wrapper for all objects of a type.
    public init(_ type: Model.Type) { self.init(MagicQuery(type)) }

    /// The objects; empty without a database.
    public var wrappedValue: [Model] { projectedValue?.results ?? [] }

    /// The live query that keeps the objects up to date; nil without a database.
    public var projectedValue: MagicLiveQuery<Model>? {
      guard let database else { return nil }
      return storage.live(query, in: database)
    }
  }

  /// The storage of the live query of a view, for the lifetime of the view.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @MainActor
  private final class LiveQueryStorage<Model: MagicObject> {
    private var store: MagicObjectStore?
    private var live: MagicLiveQuery<Model>?

    func live(
      _ query: MagicQuery<Model, MagicUnbound>,
      in database: some AsyncMagicDatabaseReader & ObservableMagicDatabase
    ) -> MagicLiveQuery<Model> {
      let store = database._observation.store
      if let live, store === self.store { return live }
      let live = MagicLiveQuery(query.bound(to: database))
      (self.store, self.live) = (store, live)
      return live
    }
  }
#endif
