import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import SQLiteEngine
import SQLiteTables
@testable import MagicStore
@testable import SQLiteStore

/// A store of a test's own that tells what a body runs and writes.
final class CountedStore {
  let store: MagicObjectStore
  let scratch: Scratch
  let recorder: Recorder

  init(_ scratch: Scratch = Scratch()) throws {
    let recorder = Recorder()
    self.scratch = scratch
    self.recorder = recorder
    store = try scratch.open(MagicOptions(durability: .normal, trace: recorder.note))
  }

  deinit { store.close() }

  /// What a piece of work cost.
  struct Cost: Equatable {
    var statements: [String]
    var rows: Int

    static let nothing = Cost(statements: [], rows: 0)
  }

  /// ``Cost/nothing`` on an engine that does not tell.
  func cost(_ body: () throws -> Void) throws -> Cost {
    guard TestedEngine.current.has(.statements) else {
      try body()
      return .nothing
    }
    let before = try written
    recorder.clear()
    try body()
    let statements = recorder.work
    return Cost(statements: statements, rows: try written - before)
  }

  func costOfSaving<Model: MagicObject>(_ object: Model) throws -> Cost {
    try cost { try store.update(object) }
  }

  /// The rows that were ever written, those of cascades included.
  private var written: Int {
    get throws { try store.shared.readOnWriter { $0.connection.totalChanges } }
  }

  func count<Model: MagicObject>(of type: Model.Type) throws -> Int {
    try store.object(of: type).count
  }
}

extension Recorder {
  /// The statements that do more than begin and end a transaction or look at the connection.
  var work: [String] {
    all.filter { line in
      !["BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "--"].contains { line.hasPrefix($0) }
    }
  }

  /// The statements that read a table.
  func reading(_ table: String) -> [String] {
    work.filter { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }
      .filter { $0.contains("FROM \(table.quoted)") }
  }
}

/// Runs a body on a thread with little stack, as other threads than the first have. Long work that
/// blocks belongs on one too: tests of time limits share the others.
func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
  let engine = TestedEngine.current
  try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
    let thread = Thread {
      done.resume(with: Result { try TestedEngine.$current.withValue(engine) { try body() } })
    }
    thread.stackSize = 512 * 1024
    thread.start()
  }
}

/// Numbers that are the same in every run.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension MagicObject {
  /// What keeps the object's values.
  var storage: PropertyStorage? {
    (try? ObjectSchema.of(Self.self))?.withReference(to: self) { $0.property(0).storage }
  }
}

/// Something to refer to.
struct Leaf: MagicObject {
  @MagicValue var number: Int = 0

  init() {}
  init(_ number: Int) { self.number = number }
}

/// Refers to leaves in every way.
struct Branch: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var leaf: Leaf?
  @MagicValue var list: [Leaf] = []
  @MagicValue var set: MagicalSet<Leaf> = []
  @MagicValue var keyed: [String: Leaf] = [:]

  init() {}
  init(_ name: String) { self.name = name }
}
