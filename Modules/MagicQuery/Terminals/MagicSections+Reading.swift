import MagicEngine
import MagicSchema
public import MagicStore

extension MagicSections {
  /// The request for the key and the number of objects of each section.
  fileprivate var counts: RowsRequest<(key: Key, count: Int)> {
    get throws {
      var plan = query.plan
      plan.groups = [key]
      plan.groupOrders = [
        QueryDescription.SortTerm(key, isDescending: direction == .descending)
      ]
      // Without a limit, the order of the rows in a group has no effect.
      if !plan.hasLimitOrOffset { plan.orders = [] }
      plan.selection = [key, MagicGroup<Model>().count.untyped]
      let reader = RowReader<(key: Key, count: Int)>.pair(
        try RowReader.single(Key.self, of: key, Model.self),
        try RowReader.single(Int.self, of: plan.selection[1], Model.self)
      ) { (key: $0, count: $1) }
      return RowsRequest(try PreparedQuery(Model.self, plan, .tuples), reader)
    }
  }

  fileprivate var request: SectionsRequest<Model, Key> {
    get throws { SectionsRequest(counts: try counts, objects: try query.objects) }
  }
}

/// A request for the sections of a query: their keys and sizes, then the objects of all sections.
private struct SectionsRequest<Model: MagicObject, Key>: ReadRequest {
  let counts: RowsRequest<(key: Key, count: Int)>
  let objects: ObjectsRequest<Model>

  func read(on reader: any EngineReader) throws -> [MagicSection<Model, Key>] {
    try reader.inSnapshot {
      let counts = try counts.read(on: reader)
      var objects = try objects.read(on: reader)[...]
      return counts.map { key, count in
        defer { objects = objects.dropFirst(count) }
        return MagicSection(key: key, objects: Array(objects.prefix(count)))
      }
    }
  }
}

extension MagicSections where Source: AsyncMagicDatabaseReader, Key: Sendable {
  /// Returns all sections with their objects, which are read from one snapshot.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func all() async throws -> [MagicSection<Model, Key>] { try await source.run(request) }

  /// Returns the key and the number of objects of each section, without reading the objects.
  ///
  /// - Throws: `MagicError`, or `CancellationError` if the task is cancelled.
  public func count() async throws -> [(key: Key, count: Int)] { try await source.run(counts) }
}

extension MagicSections where Source: MagicDatabaseReader {
  /// Like the asynchronous `all()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func all() throws -> [MagicSection<Model, Key>] { try source.run(request) }

  /// Like the asynchronous `count()`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func count() throws -> [(key: Key, count: Int)] { try source.run(counts) }
}
