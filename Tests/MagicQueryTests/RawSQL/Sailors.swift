import EngineConformance
import Foundation
import MagicQuery
import MagicSQLite
import MagicStatements
import MagicTestSupport
import SQLiteStore
import Testing

/// Its primary is a text.
struct Sailor: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue var age: Int = 30
  @OptionMagicValue var rank: String?
  @OptionMagicValue var pay: Double?

  init() {}
  init(_ name: String, age: Int = 30, rank: String? = nil) {
    id = name.lowercased()
    self.name = name
    self.age = age
    self.rank = rank
  }
}

/// Refers to sailors.
struct Vessel: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue(.named("berth_no")) var berth: Int = 0
  @OptionMagicValue var captain: Sailor?
  @MagicValue var crew: [Sailor] = []
  @ReverseMagicValue(\Vessel.$sister) var sisters: AsyncReverseMagicSet<Vessel>
  @OptionMagicValue var sister: Vessel?

  init() {}
  init(_ name: String) { self.name = name }
}

/// Its primary is auto-incremented.
struct Pennant: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var text: String

  init() {}
  init(_ text: String) { self.text = text }
}

/// Has a required reference to a sailor.
struct Contract: MagicObject {
  @MagicValue var sailor: Sailor

  init() {}
  init(_ sailor: Sailor) { self.sailor = sailor }
}

/// A private database of a test, with the SQL that runs on it.
struct Fleet {
  let store: MagicObjectStore
  let log = Recorder<String>()

  /// With Ada, 36, captain, Bob, 25, and Cy, 41, cook.
  static func manned(_ options: MagicOptions = .init()) throws -> Fleet {
    let fleet = try Fleet(options)
    try fleet.store.update(contentsOf: [
      Sailor("Ada", age: 36, rank: "captain"), Sailor("Bob", age: 25),
      Sailor("Cy", age: 41, rank: "cook"),
    ])
    fleet.log.clear()
    return fleet
  }

  init(_ options: MagicOptions = .init()) throws {
    var options = options
    options.trace = { [log] in log.note($0) }
    store = try MagicObjectStore.open(.temporary, options: options)
  }

  var names: [String] {
    get throws { try store.object(of: Sailor.self).map(\.name) }
  }

  /// Expects an error, that nothing was stored, and that the next calls work, inside and outside of
  /// a transaction.
  func expect(
    _ code: MagicError.Code, _ sentence: String? = nil, of sql: MagicSQL,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try store.object(of: Sailor.self).map(\.debugDescription)
    func expectUnchanged() throws {
      let after = try store.object(of: Sailor.self).map(\.debugDescription)
      #expect(after == before, sourceLocation: location)
    }
    func expect(_ call: () throws -> Void) throws {
      let error = #expect(throws: MagicError.self, sourceLocation: location) { try call() }
      #expect(error?.code == code, "\(error as Any)", sourceLocation: location)
      if let sentence { #expect(error?.message == sentence, sourceLocation: location) }
    }
    try expect { _ = try store.sql(sql).rows() }
    try expectUnchanged()
    try expect { try store.sql(sql).run() }
    try expectUnchanged()
    try expect { _ = try store.read { try $0.sql(sql).rows() } }
    try expectUnchanged()
    try store.transaction { transaction in
      try expect { _ = try transaction.sql(sql).rows() }
      try expect { try transaction.sql(sql).run() }
      try transaction.update(Sailor("Zoe"))
    }
    try store.remove(store.object(of: Sailor.self, primary: "zoe"))
    try expectUnchanged()
  }
}
