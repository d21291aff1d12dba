package import MagicRuntime

/// The content of an asset file, or of one that is not written yet.
///
/// The content is immutable; only the list of its locations changes. The content has several
/// locations if the objects that contain it were saved to several databases.
package final class FileContent: Locked, @unchecked Sendable {
  /// The source of content that was not fetched; nil for fetched content.
  package let source: (any FileSource)?
  /// The property that the content was fetched for, for error messages.
  package let origin: (type: _TypeLayout, column: Int)?
  /// The databases that contain the file, with its name in each; the most recent is last.
  @exclusivity(unchecked) private var storedPlaces: [Place]

  /// The location of a file: a database, and the name of the file in it.
  package struct Place: Equatable, Sendable {
    package let store: StoreToken
    /// The name in the row. Another tool may have written an invalid one.
    package let name: String

    package init(store: StoreToken, name: String) {
      self.store = store
      self.name = name
    }
  }

  /// Creates content that is in no database yet.
  package init(_ source: any FileSource) {
    self.source = source
    origin = nil
    storedPlaces = []
    super.init()
  }

  /// Creates content that was fetched.
  package init(at place: Place, of origin: (type: _TypeLayout, column: Int)? = nil) {
    source = nil
    self.origin = origin
    storedPlaces = [place]
    super.init()
  }

  /// The locations, the most recent first.
  package var places: [Place] { withLock { storedPlaces.reversed() } }

  /// Returns the name of the file in a database; nil if the database does not contain it.
  package func name(in store: StoreToken) -> String? {
    withLock { storedPlaces.first { $0.store == store }?.name }
  }

  /// Adds a location, or replaces that in the same database.
  package func note(_ place: Place) {
    withLock {
      storedPlaces.removeAll { $0.store == place.store }
      storedPlaces.append(place)
    }
  }

  /// The source to read the content from; nil if the content must be read from one of its
  /// locations.
  package var usableSource: (any FileSource)? {
    guard let source, source.isLasting || withLock({ storedPlaces.isEmpty }) else { return nil }
    return source
  }
}
