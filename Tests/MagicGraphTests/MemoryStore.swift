import MagicEngine
import MagicGraph
import MagicRuntime
import MagicSchema
@testable import MemoryEngine

/// A database in memory with transactions that save objects into it, and the changes that they run.
///
/// It uses neither SQL nor a file. It must store the same rows as SQLite.
final class MemoryStore {
  private let database: MemoryDatabase
  private let trace: Mutex<[String]>
  /// The last transaction, while it is retained.
  weak var lastTransaction: ObjectTransaction?

  /// The executed changes, one line for each.
  var lines: [String] {
    get { trace.withLock { $0 } }
    set { trace.withLock { $0 = newValue } }
  }

  /// A value of a column.
  enum Value: Hashable {
    case null, integer(Int64), real(Double), text(String), blob([UInt8])
  }

  init() {
    let trace = Mutex<[String]>([])
    self.trace = trace
    database = MemoryDatabase { line in trace.withLock { $0.append(line) } }
  }

  /// Runs a transaction, which is rolled back if the body throws.
  func transaction<Result>(_ body: (ObjectTransaction) throws -> Result) throws -> Result {
    try database.writeBlocking { engine in
      let objects = ObjectTransaction(engine)
      lastTransaction = objects
      return try body(objects)
    }
  }

  func save<Model: MagicObject>(_ objects: Model...) throws {
    _ = try transaction { try $0.save(objects, ObjectSchema.of(Model.self)) }
  }

  func remove<Model: MagicObject>(_ objects: Model...) throws {
    try transaction { try $0.remove(objects, ObjectSchema.of(Model.self)) }
  }

  /// Removes a row as another program would, also if other rows refer to it.
  func drop<Model: MagicObject>(_ rowID: ZIndex?, of type: Model.Type) throws {
    guard let rowID else { return }
    let schema = try ObjectSchema.of(type)
    database.changeTables { tables in tables.change(schema) { $0.remove(rowID.rawValue) } }
  }

  /// The rows of a type, by their row IDs.
  func rows<Model: MagicObject>(of type: Model.Type) throws -> [Int64: [Value]] {
    let rows = try database.committed.table(of: ObjectSchema.of(type))?.rows.values.map {
      ($0.rowID, $0.values.map(Value.init))
    }
    return Dictionary(uniqueKeysWithValues: rows ?? [])
  }

  /// The members of an owner's first collection.
  func members<Model: MagicObject>(of owner: Model) throws -> [Int64] {
    guard let rowID = owner.zIndex?.rawValue else { return [] }
    let table = try database.committed.table(of: ObjectSchema.of(Model.self))
    return table?.collections[0].members(of: rowID).map(\.target) ?? []
  }
}

extension MemoryStore.Value {
  fileprivate init(_ value: StoredValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(String(decoding: text.bytes, as: UTF8.self))
      case .blob(let blob): .blob(Array(blob.bytes))
      }
  }
}
