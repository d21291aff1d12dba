import Foundation
import MagicData
import MagicStore

/// A database file of which nothing may be relied on.
///
/// The first byte of an input says what the rest is: the file itself, changes of a valid one, of its
/// write-ahead log, of its schema, or of its folder of assets. The second says how it is opened.
public enum HostileFile {
  /// How many ways to do harm to a schema there are: inputs that begin with 6 choose among them.
  public static var schemaEditCount: Int { HostileSchema.statements.count }

  /// - Parameter flaw: a mistake to make on the way.
  /// - Throws: `Finding` where a promise was broken.
  public static func run(_ bytes: some Sequence<UInt8>, flaw: FileFlaw? = nil) throws {
    var input = ByteReader(bytes)
    let kind = input.number(below: 8)
    let manner = input.byte()
    let workplace = try Workplace()
    try Template.made().lay(out: workplace)
    try damage(kind, &input, workplace)
    // To read the file by other means changes its log: not where that is what is hostile.
    try use(workplace, manner, flaw, kind >= 6 ? NamedContents(workplace) : nil)
    if flaw == .followsNames { removeFilesByName(workplace) }
    try workplace.checkSurroundings()
  }

  private static func damage(
    _ kind: Int, _ input: inout ByteReader, _ workplace: Workplace
  ) throws {
    let template = try Template.made()
    switch kind {
    case 0: try workplace.write(input.rest(), to: "data/main.sqlite3")
    case 1, 2, 3:
      var edits = FileEdits(template.database, pageSize: Template.pageSize)
      edits.apply(&input)
      try workplace.write(edits.bytes, to: "data/main.sqlite3")
    case 4:
      var edits = FileEdits(template.log, pageSize: Template.pageSize + 24)
      edits.apply(&input)
      try workplace.write(edits.bytes, to: "data/main.sqlite3-wal")
    case 5:
      var edits = FileEdits(template.log, pageSize: Template.pageSize + 24)
      edits.apply(&input)
      try workplace.write(WriteAheadLog.sealed(edits.bytes), to: "data/main.sqlite3-wal")
    case 6: try HostileSchema.apply(&input, to: workplace.database)
    default: try HostileFolder.apply(&input, to: workplace)
    }
  }

  private static func use(
    _ workplace: Workplace, _ manner: UInt8, _ flaw: FileFlaw?, _ named: NamedContents?
  ) throws {
    let options = MagicOptions(
      readOnly: manner & 7 == 1, durability: .normal, readers: 1, busyTimeout: 0)
    let isLater = manner & 7 == 2
    try attempt("opening") {
      let store = try open(workplace.database, options, flaw)
      defer { store.close() }
      if flaw == .trustsCounts { removeFilesByName(workplace) }
      try named?.check()
      let exercise = DatabaseExercise(store: store, workplace: workplace)
      if isLater { return try exercise.migrate() }
      if manner & 8 != 0 { try exercise.write() }
      try exercise.read()
      try exercise.query()
      try exercise.maintain()
      try exercise.write()
      try exercise.remove()
      try exercise.read()
    }
    guard manner & 16 != 0 else { return }
    try attempt("opening again") {
      try blocking { [path = workplace.database] in
        let magic = try await MagicData(path: path)
        _ = try? await magic.object(of: Root.self)
        for try await leaf in magic.query(Leaf.self).stream() { _ = leaf.name }
        await magic.close()
      }
    }
  }

  private static func open(
    _ path: String, _ options: MagicOptions, _ flaw: FileFlaw?
  ) throws -> MagicObjectStore {
    do {
      return try MagicObjectStore.open(.file(path), options: options)
    } catch let error as MagicError where flaw == .throwsWhatNobodyKnows {
      throw error.cause ?? error
    }
  }

  /// Removes what a sweep would if it took names as they are.
  private static func removeFilesByName(_ workplace: Workplace) {
    let raw = try? RawDatabase(workplace.database)
    for row in (try? raw?.rows("SELECT name FROM magic_assets WHERE uses < 1")) ?? [] {
      guard case .text(let name)? = row.first else { continue }
      try? FileManager.default.removeItem(
        atPath: workplace.database + "-assets/" + String(decoding: name, as: UTF8.self))
    }
  }
}

/// A mistake that a run must find out.
public enum FileFlaw: Sendable, CaseIterable {
  /// Errors of lower layers come out as they are.
  case throwsWhatNobodyKnows
  /// A file's name is taken to be one, whatever it is.
  case followsNames
  /// A file whose count is 0 goes, whatever rows say.
  case trustsCounts
}
