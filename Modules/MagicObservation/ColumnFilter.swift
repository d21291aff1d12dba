import MagicEngine
import MagicRuntime
import MagicSchema
import MagicStore

/// Columns and collections that were chosen by name, and where they are in a file's table.
final class ColumnFilter: Locked, @unchecked Sendable {
  /// Folded.
  private let names: Set<String>
  /// What was asked last: a table has the same names from one commit to the next.
  private var last: (names: TableNames, places: ColumnSet)?

  init(_ names: [String]) {
    self.names = Set(names)
    super.init()
  }

  func places(in table: TableNames) -> ColumnSet {
    withLock {
      if let last, last.names === table { return last.places }
      var places = ColumnSet()
      for (place, name) in table.names.enumerated() where names.contains(name.folded) {
        places.insert(place)
      }
      last = (table, places)
      return places
    }
  }
}
