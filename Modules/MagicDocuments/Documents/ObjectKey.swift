import MagicRecords
import MagicSchema

/// An object in one document: instances of one row, or with one primary value, are one object.
struct ObjectKey: Hashable {
  let type: Int
  let key: IdentifierKey

  init(type: Int, key: IdentifierKey) { (self.type, self.key) = (type, key) }

  init<Model: MagicObject>(of object: Model) throws {
    let schema = try ObjectSchema.of(Model.self)
    self = schema.withReference(to: object) {
      ObjectKey(type: schema.ordinal, key: IdentifierKey(of: $0))
    }
  }
}
