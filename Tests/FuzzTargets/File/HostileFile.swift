import Foundation
import MagicData
import MagicStore

/// Uses a database file with arbitrary contents.
///
/// The first byte of an input determines the meaning of the rest: the file itself, changes of a
/// valid file, of its write-ahead log, of its schema, or of its asset folder. The second byte
/// determines how the file is opened.
public enum HostileFile {
  /// The number of edits of a schema. Inputs that begin with 6 choose among them.
  public static var schemaEditCount: Int { HostileSchema.statements.count }

  /// - Parameter flaw: A deliberate flaw, or nil.
  /// - Throws: `Finding` if a violation was found.
  public static func run(_ bytes: some Sequence<UInt8>, flaw: FileFlaw? = nil) throws {
    var input = ByteReader(bytes)
    let kind = input.number(below: 8)
    let manner = input.byte()
    let directory = try RunDirectory()
    try Template.get().write(to: directory)
    try damage(kind, &input, directory)
    // Reading the file with another connection changes its log, so this is not done for hostile
    // logs.
    try use(directory, manner, flaw, kind >= 6 ? NamedContents(directory) : nil)
    if flaw == .followsNames { removeFilesByName(directory) }
    try directory.checkOutside()
  }

  private static func damage(
    _ kind: Int, _ input: inout ByteReader, _ directory: RunDirectory
  ) throws {
    let template = try Template.get()
    switch kind {
    case 0: try directory.write(input.rest(), to: "data/main.sqlite3")
    case 1, 2, 3:
      var edits = FileEdits(template.database, pageSize: Template.pageSize)
      edits.apply(&input)
      try directory.write(edits.bytes, to: "data/main.sqlite3")
    case 4:
      var edits = FileEdits(template.log, pageSize: Template.pageSize + 24)
      edits.apply(&input)
      try directory.write(edits.bytes, to: "data/main.sqlite3-wal")
    case 5:
      var edits = FileEdits(template.log, pageSize: Template.pageSize + 24)
      edits.apply(&input)
      try directory.write(WriteAheadLog.sealed(edits.bytes), to: "data/main.sqlite3-wal")
    case 6: try HostileSchema.apply(&input, to: directory.database)
    default: try HostileFolder.apply(&input, to: directory)
    }
  }

  private static func use(
    _ directory: RunDirectory, _ manner: UInt8, _ flaw: FileFlaw?, _ named: NamedContents?
  ) throws {
    let options = MagicOptions(
      readOnly: manner & 7 == 1, durability: .normal, readers: 1, busyTimeout: 0)
    let isLater = manner & 7 == 2
    try attempt("opening") {
      let store = try open(directory.database, options, flaw)
      defer { store.close() }
      if flaw == .trustsCounts { removeFilesByName(directory) }
      try named?.check()
      let exercise = DatabaseExercise(store: store, directory: directory)
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
      try blocking { [path = directory.database] in
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
    } catch let error as MagicError where flaw == .throwsUnknownErrors {
      throw error.cause ?? error
    }
  }

  /// Removes the files that a sweep without a check of names would remove.
  private static func removeFilesByName(_ directory: RunDirectory) {
    let raw = try? RawDatabase(directory.database)
    for row in (try? raw?.rows("SELECT name FROM magic_assets WHERE uses < 1")) ?? [] {
      guard case .text(let name)? = row.first else { continue }
      try? FileManager.default.removeItem(
        atPath: directory.database + "-assets/" + String(decoding: name, as: UTF8.self))
    }
  }
}

/// A deliberate flaw that a run must find.
public enum FileFlaw: Sendable, CaseIterable {
  /// Errors of lower layers are thrown unchanged.
  case throwsUnknownErrors
  /// The names of files are not checked.
  case followsNames
  /// Files with a reference count of 0 are removed, even if rows refer to them.
  case trustsCounts
}
