import MagicEngine
import MagicRuntime
import MagicSchema
import MagicStore

/// Maps the names of columns and collections to their indices in a table of the file.
final class ColumnFilter: Locked, @unchecked Sendable {
  /// The names with folded case.
  private let names: Set<String>
  /// The last result. A table usually has the same names from one commit to the next.
  private var last: (names: TableNames, indices: ColumnSet)?

  init(_ names: [String]) {
    self.names = Set(names)
    super.init()
  }

  func indices(in table: TableNames) -> ColumnSet {
    withLock {
      if let last, last.names === table { return last.indices }
      var indices = ColumnSet()
      for (index, name) in table.names.enumerated() where names.contains(name.folded) {
        indices.insert(index)
      }
      last = (table, indices)
      return indices
    }
  }
}
