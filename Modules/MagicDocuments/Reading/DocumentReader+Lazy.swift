import MagicAssets
import MagicRuntime
import MagicSchema
import Magical

/// Properties whose values are fetched when they are read.
extension DocumentReader {
  func readLazy(
    _ json: UnsafeRawBufferPointer, into reference: PropertyReference, _ property: PropertySchema,
    at place: ReadPlace
  ) throws {
    guard let type = property.valueType as? any LazyValue.Type else { return }
    try readLazy(type, json, into: reference, property, at: place)
  }

  private func readLazy<Value: LazyValue>(
    _ type: Value.Type, _ json: UnsafeRawBufferPointer, into reference: PropertyReference,
    _ property: PropertySchema, at place: ReadPlace
  ) throws {
    func set<Content: Sendable>(_ content: Content) {
      reference.setLazy(Value(.box(LazyBox(content))))
    }
    if json.isNull, let column = property as? ColumnSchema {
      guard column.isNullable else {
        throw place.path.error(.wrongType, "the value cannot be null", nil, property)
      }
      reference.setLazy(Value?.none)
    } else if let type = Value.Content.self as? any MagicObject.Type {
      func link<Target: MagicObject>(_ type: Target.Type) throws {
        let member = try member(json, of: ObjectSchema.of(Target.self), at: place)
        addLink { [unowned self] in set(try self.resolve(member, as: Target.self)) }
      }
      try link(type)
    } else if let type = Value.Content.self as? any ObjectCollection.Type {
      func link<Collection: ObjectCollection>(_ type: Collection.Type) throws {
        let collection = try collection(json, as: Collection.self, property, at: place)
        addLink { set(try collection()) }
      }
      try link(type)
    } else if let type = Value.Content.self as? any FileValue.Type {
      func store<File: FileValue>(_ type: File.Type) throws {
        set(File(try Self.asset(json, property, at: place.path)))
      }
      try store(type)
    }
  }
}
