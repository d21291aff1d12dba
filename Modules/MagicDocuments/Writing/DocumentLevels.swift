import MagicEngine
import MagicRuntime
import MagicSchema
import Magical

/// The smallest number of relationships from the objects of a call to each object of their document. An
/// object is written where it is nearest, so that all objects within the depth are contained.
final class DocumentLevels {
  private let limit: Int
  private var levels: [ObjectKey: Int] = [:]
  /// Visits the objects in the order of their levels.
  private var visits: [() throws -> Void] = []
  private var cancellation = CancellationCheck()

  /// - Parameter limit: the greatest level.
  init(limit: Int) { self.limit = limit }

  subscript(key: ObjectKey) -> Int? { levels[key] }

  /// Finds the levels of objects below the objects of a call.
  func find<Model: MagicObject>(from roots: [Model]) throws {
    for root in roots { try add(root, at: 0) }
    var next = 0
    while next < visits.count {
      try visits[next]()
      next += 1
    }
    visits.removeAll()
  }

  /// Adds an object, unless it has a smaller level.
  func add<Model: MagicObject>(_ object: Model, at level: Int) throws {
    guard level <= limit else { return }
    try cancellation.count()
    let key = try ObjectKey(of: object)
    guard levels[key] == nil else { return }
    levels[key] = level
    guard level < limit else { return }
    visits.append { [unowned self] in try self.visit(object, level) }
  }

  private func visit<Model: MagicObject>(_ object: Model, _ level: Int) throws {
    let schema = try ObjectSchema.of(Model.self)
    try schema.withReference(to: object) { object in
      for slot in 0..<schema.columns.count + schema.collections.count {
        let property = schema.stored(at: slot)
        guard !property.isLazy, let written = property as? any WrittenProperty else { continue }
        try written.addMembers(of: object.property(slot), to: self, at: level + 1)
      }
    }
  }
}
