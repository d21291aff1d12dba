import MagicStore
import SQLiteStore

/// Uses a valid database whose cells contain arbitrary values.
///
/// The first byte of an input determines whether the store is open during the changes; the rest
/// encodes changes of cells and rows.
public enum HostileValues {
  /// - Parameter flaw: A deliberate flaw, or nil.
  /// - Throws: `Finding` if a violation was found.
  public static func run(_ bytes: some Sequence<UInt8>, flaw: ValueFlaw? = nil) throws {
    var input = ByteReader(bytes)
    let manner = input.byte()
    let directory = try RunDirectory()
    try Template.get().write(to: directory)
    let raw = try RawDatabase(directory.database)
    if manner & 1 != 0 { try RawEdits.removeNotNull(raw) }
    let edits = try RawEdits(raw)
    let options = MagicOptions(durability: .normal, readers: 1, busyTimeout: 0)
    if manner & 2 != 0 {
      let store = try MagicObjectStore.open(.file(directory.database), options: options)
      defer { store.close() }
      var untouched = try UntouchedCells(store, raw, edits)
      untouched.flaw = flaw
      edits.apply(&input)
      try untouched.check()
    } else {
      edits.apply(&input)
    }
    try attempt("opening") {
      let store = try MagicObjectStore.open(.file(directory.database), options: options)
      defer { store.close() }
      // If the catalogue does not match the types, a fetch can migrate their tables.
      if try attempt(
        "a plan", { try store.migrationPlan(for: Scalar.self, Root.self, Photo.self) })?.isEmpty
        == true
      {
        let comparison = ValueComparison(
          store: store, raw: raw, directory: directory, flaw: flaw)
        try comparison.compareScalars()
        try comparison.compareLinks()
        try comparison.compareFiles()
      }
      let exercise = DatabaseExercise(store: store, directory: directory)
      try exercise.read()
      try exercise.query()
      try exercise.maintain()
      try exercise.write()
      try exercise.remove()
      try exercise.read()
    }
    raw.close()
    try directory.checkOutside()
  }
}
