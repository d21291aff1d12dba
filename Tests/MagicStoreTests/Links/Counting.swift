import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicTestSupport
import SQLiteEngine
import SQLiteTables
import Testing

@testable import MagicStore
@testable import SQLiteStore

/// A private store of a test that reports the statements and row writes of a body.
final class CountedStore {
  let store: MagicObjectStore
  let scratch: Scratch
  let recorder: Recorder<String>

  init(_ scratch: Scratch = Scratch()) throws {
    let recorder = Recorder<String>()
    self.scratch = scratch
    self.recorder = recorder
    store = try scratch.open(MagicOptions(durability: .normal, trace: recorder.note))
  }

  deinit { store.close() }

  /// The cost of a body.
  struct Cost: Equatable {
    var statements: [String]
    var rows: Int

    static let nothing = Cost(statements: [], rows: 0)
  }

  /// ``Cost/nothing`` on an engine that does not report it.
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

  /// Saves, and expects a number of written rows. Only saves on an engine that does not report it.
  func expectSaving<Model: MagicObject>(
    _ object: Model, writes rows: Int, at location: SourceLocation = #_sourceLocation
  ) throws {
    let cost = try costOfSaving(object)
    guard TestedEngine.current.has(.statements) else { return }
    #expect(cost.rows == rows, "\(cost.statements)", sourceLocation: location)
  }

  /// The total number of written rows, including those of cascades.
  private var written: Int {
    get throws { try store.shared.readOnWriter { $0.connection.totalChanges } }
  }

  func count<Model: MagicObject>(of type: Model.Type) throws -> Int {
    try store.object(of: type).count
  }
}

extension Recorder<String> {
  /// The statements that read a table.
  func reading(_ table: String) -> [String] {
    work.filter { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }
      .filter { $0.contains("FROM \(table.quoted)") }
  }
}

/// Runs a body on a thread with a small stack, as all threads but the main thread have. Long work
/// that blocks needs such a thread too: tests with time limits share the others.
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

extension MagicObject {
  /// The storage of the object's values.
  var storage: PropertyStorage? {
    (try? ObjectSchema.of(Self.self))?.withReference(to: self) { $0.property(0).storage }
  }
}

/// An object that others refer to.
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
