package import MagicFiles
package import MagicRuntime
package import Magical

/// The content of a file beside a database, or of one that is still to be written.
///
/// Content never changes; what changes is where it lies. It may lie in several databases, where
/// the objects that have it were saved into several.
package final class FileContent: Locked, @unchecked Sendable {
  /// Where content comes from that is in no database; nil for content that was fetched.
  package let source: (any FileSource)?
  /// The property that it was fetched as, for errors.
  package let property: (schema: ObjectSchema, column: Int)?
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
    property = nil
    storedPlaces = []
    super.init()
  }

  /// Content that was fetched.
  package init(at place: Place, of property: (schema: ObjectSchema, column: Int)? = nil) {
    source = nil
    self.property = property
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

/// Where the content of a file comes from.
package protocol FileSource: AnyObject, Sendable {
  /// The extension of its file's name; nil for none.
  var pathExtension: String? { get }

  /// Whether it is the same for as long as it lives, so that it need not be read from a file again.
  var isLasting: Bool { get }

  /// Whether the file that ``stage(in:)`` gives is kept when the transaction is rolled back.
  var outlivesRollback: Bool { get }

  /// Writes the content to a new file of a folder.
  func stage(in folder: AssetFolder) throws -> StagedFile

  /// Opens the content for reading.
  func open() throws -> any ReadableFile
}

/// A value that lies in a file; its column holds the file's name, "" where there is no content.
package protocol FileValue: Magical, Sendable where StoredValue == String {
  /// The value with some content; without it for nil.
  init(_ content: FileContent?)

  /// The value's content; nil where it has none.
  var content: FileContent? { get }
}
