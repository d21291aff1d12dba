import MagicStore
import SQLiteStore

/// A whole database whose cells hold anything.
///
/// The first byte of an input says whether the store is open when that comes about; the rest are changes
/// of cells and rows.
public enum HostileValues {
  /// - Parameter flaw: a mistake to make on the way.
  /// - Throws: `Finding` where a promise was broken.
  public static func run(_ bytes: some Sequence<UInt8>, flaw: ValueFlaw? = nil) throws {
    var input = ByteReader(bytes)
    let manner = input.byte()
    let workplace = try Workplace()
    try Template.made().lay(out: workplace)
    let raw = try RawDatabase(workplace.database)
    if manner & 1 != 0 { try RawEdits.loosen(raw) }
    let edits = try RawEdits(raw)
    let options = MagicOptions(durability: .normal, readers: 1, busyTimeout: 0)
    if manner & 2 != 0 {
      let store = try MagicObjectStore.open(.file(workplace.database), options: options)
      defer { store.close() }
      var untouched = try UntouchedCells(store, raw, edits)
      untouched.flaw = flaw
      edits.apply(&input)
      try untouched.check()
    } else {
      edits.apply(&input)
    }
    try attempt("opening") {
      let store = try MagicObjectStore.open(.file(workplace.database), options: options)
      defer { store.close() }
      // Without a catalogue that knows the types, reading may change their tables.
      if try attempt(
        "a plan", { try store.migrationPlan(for: Scalar.self, Root.self, Photo.self) })?.isEmpty
        == true
      {
        let comparison = ValueComparison(
          store: store, raw: raw, workplace: workplace, flaw: flaw)
        try comparison.compareScalars()
        try comparison.compareLinks()
        try comparison.compareFiles()
      }
      let exercise = DatabaseExercise(store: store, workplace: workplace)
      try exercise.read()
      try exercise.query()
      try exercise.maintain()
      try exercise.write()
      try exercise.remove()
      try exercise.read()
    }
    raw.close()
    try workplace.checkSurroundings()
  }
}
