package import Magical

extension MagicProperty {
  /// Returns the collection of a relationship through a join type.
  package func collection<Value: Magical & Sendable>(
    _ type: Value.Type, named name: String, through relationship: any ThroughRelationship
  ) -> PropertySchema {
    if let content = type as? any ObjectCollection.Type {
      return eager(content, named: name, relationship)
    }
    if let lazy = type as? any LazyValue.Type,
      let column = self.lazy(lazy, named: name, relationship)
    {
      return column
    }
    return schema(type, named: name, role: .required, options: [])
  }

  private func eager<Value: ObjectCollection>(
    _ type: Value.Type, named name: String, _ relationship: any ThroughRelationship
  ) -> PropertySchema {
    TypedCollectionColumn<Value>(
      property: name, options: [], template: reference, through: relationship)
  }

  private func lazy<Value: LazyValue>(
    _ type: Value.Type, named name: String, _ relationship: any ThroughRelationship
  ) -> PropertySchema? {
    guard let content = Value.Content.self as? any ObjectCollection.Type else { return nil }
    return lazy(content, of: type, named: name, relationship)
  }

  private func lazy<Value: LazyValue, Content: ObjectCollection>(
    _ content: Content.Type, of type: Value.Type, named name: String,
    _ relationship: any ThroughRelationship
  ) -> PropertySchema {
    LazyCollectionColumn<Value, Content>(
      property: name, options: [], template: reference, through: relationship)
  }
}
