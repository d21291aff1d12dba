package import MagicFiles
import MagicRuntime

/// The content of a file beside a database, or of one that is still to be written.
///
/// Content never changes; what changes is where it lies. It may lie in several databases, where
/// the objects that have it were saved into several.
package class FileContent: Locked, @unchecked Sendable {
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

  /// - Parameter place: where it lies; nil for content that is in no database yet.
  package init(place: Place?) {
    storedPlaces = place.map { [$0] } ?? []
    super.init()
  }

  /// Where it lies, the last place first.
  package final var places: [Place] { withLock { storedPlaces.reversed() } }

  /// Its name in a database; nil where it does not lie there.
  package final func name(in store: StoreToken) -> String? {
    withLock { storedPlaces.first { $0.store == store }?.name }
  }

  /// It lies in a database from now on.
  package final func note(_ place: Place) {
    withLock {
      storedPlaces.removeAll { $0.store == place.store }
      storedPlaces.append(place)
    }
  }

  /// The extension of its file's name; nil for none.
  package var pathExtension: String? { nil }

  /// Whether the file that ``stage(in:)`` gives is kept when the transaction is rolled back.
  package var outlivesRollback: Bool { false }

  /// Writes the content to a new file of a folder.
  ///
  /// - Returns: nil for content that is to be copied from where it lies.
  package func stage(in folder: AssetFolder) throws -> StagedFile? { nil }
}

/// A value that lies in a file; its column holds the file's name, "" where there is no content.
package protocol FileValue: Magical, Sendable where StoredValue == String {
  /// The value's content; nil where it has none.
  var content: FileContent? { get }
}
