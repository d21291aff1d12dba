package import MagicRuntime

/// The content of a file beside a database, or of one that is still to be written.
///
/// Content never changes; what changes is where it lies. It may lie in several databases, where
/// the objects that have it were saved into several.
package final class FileContent: Locked, @unchecked Sendable {
  /// Where content comes from that is in no database; nil for content that was fetched.
  package let source: (any FileSource)?
  /// The property that it was fetched as, for errors.
  let origin: (type: TypeLayout, column: Int)?
  /// The databases it lies in, and its names there, the last one it was saved in last.
  @exclusivity(unchecked) private var storedPlaces: [Place]

  /// A file of a database.
  package struct Place: Equatable, Sendable {
    package let store: StoreToken
    /// The name as the row has it, which may be none of ours.
    package let name: String

    package init(store: StoreToken, name: String) {
      self.store = store
      self.name = name
    }
  }

  /// Content that is in no database yet.
  package init(_ source: any FileSource) {
    self.source = source
    origin = nil
    storedPlaces = []
    super.init()
  }

  /// Content that was fetched.
  package init(at place: Place, of origin: (type: TypeLayout, column: Int)? = nil) {
    source = nil
    self.origin = origin
    storedPlaces = [place]
    super.init()
  }

  /// Where it lies, the last place first.
  package var places: [Place] { withLock { storedPlaces.reversed() } }

  /// Its name in a database; nil where it does not lie there.
  package func name(in store: StoreToken) -> String? {
    withLock { storedPlaces.first { $0.store == store }?.name }
  }

  /// It lies in a database from now on.
  package func note(_ place: Place) {
    withLock {
      storedPlaces.removeAll { $0.store == place.store }
      storedPlaces.append(place)
    }
  }

  /// What the content is to be taken from; nil where it is to be copied from where it lies.
  package var usableSource: (any FileSource)? {
    guard let source, source.isLasting || withLock({ storedPlaces.isEmpty }) else { return nil }
    return source
  }
}
