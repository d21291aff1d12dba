import MagicEngine
import MagicRuntime
import MagicSchema
import MagicStore

/// Maps the names of columns and collections to their indices in a table of the file.
final class ColumnFilter: Locked, @unchecked Sendable {
  /// The names with folded case.
  private let names: Set<String>
  /// The last result. A table usually has the same names from one commit to the next.
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
