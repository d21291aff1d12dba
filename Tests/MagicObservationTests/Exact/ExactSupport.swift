import EngineConformance
import MagicData
import Testing

struct ExactTag: MagicObject {
  @MagicValue var name: String = ""

  init() {}

  init(_ name: String) { self.name = name }
}

struct ExactItem: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var name: String = ""
  @MagicValue(.unique) var code: String = ""
  @MagicValue var weight: Double = 0
  @OptionMagicValue var remark: String?
  @OptionMagicValue var tag: ExactTag?
  @OptionMagicValue(.onDelete(.cascade)) var parent: ExactItem?

  init() {}

  init(_ id: Int, weight: Double = 0) {
    self.id = id
    self.weight = weight
    code = "code \(id)"
  }
}

struct ExactBox: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue(.named("heading")) var title: String = ""
  @MagicValue var list: [ExactTag] = []
  @MagicValue var set: MagicalSet<ExactTag> = []
  @MagicValue var named: [String: ExactTag] = [:]
  @MagicValue(.onDelete(.cascade)) var parts: [ExactItem] = []

  init() {}

  init(_ id: String) { self.id = id }
}

extension MagicChanges {
  /// For example `+1 -2 3:name,weight`, with `?` if there may be more changes.
  var text: String {
    let all =
      inserted.map { ($0, "+\($0.rawValue)") } + deleted.map { ($0, "-\($0.rawValue)") }
      + updated.map { ($0, "\($0.rawValue):" + $1.names.joined(separator: ",")) }
    let rows = all.sorted { $0.0 < $1.0 }.map { $0.1 }
    return (rows + (isComplete ? [] : ["?"])).joined(separator: " ")
  }
}

/// The remaining elements of a stream, after its database was closed.
func texts<Model>(_ changes: MagicChangeStream<MagicChanges<Model>>) async -> [String] {
  var texts: [String] = []
  for await element in changes { texts.append(element.text) }
  return texts
}

/// A database with three items, whose row IDs and primaries are 1 to 3.
func exactItems() async throws -> MagicData {
  let magic = try await MagicData.onTestedEngine(type: .temporary)
  try await magic.update(contentsOf: (1...3).map { ExactItem($0, weight: Double($0)) })
  return magic
}

/// The changes of items that an observer receives while statements of raw SQL run.
func reported(_ statements: MagicSQL...) async throws -> [String] {
  let magic = try await exactItems()
  let changes = magic.changes(of: ExactItem.self)
  for statement in statements { try await magic.sql(statement).run() }
  await magic.close()
  return await texts(changes)
}

/// The changes of a type that an observer receives during a body. The database is then closed.
func reported<Model: MagicObject>(
  _ type: Model.Type, in magic: MagicData, _ body: (MagicData) async throws -> Void
) async throws -> [String] {
  let changes = magic.changes(of: type)
  try await body(magic)
  await magic.close()
  return await texts(changes)
}

struct ExactFailure: Error {}
