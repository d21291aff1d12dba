import Magical

/// A property wrapper, as reflection uses it.
package protocol MagicProperty {
  var reference: PropertyReference { get }

  /// Returns the description of the property.
  func schema(named name: String, options: [MagicOption]) -> PropertySchema

  /// Returns the description of a relationship through a join type. Only one wrapper has them.
  func collection(
    named name: String, through relationship: any ThroughRelationship
  ) -> PropertySchema
}

extension MagicProperty {
  package func collection(
    named name: String, through relationship: any ThroughRelationship
  ) -> PropertySchema {
    schema(named: name, options: [])
  }
}

extension MagicProperty {
  /// Returns a column for a value or a to-one, or a collection.
  func schema<Value: Magical & Sendable>(
    _ type: Value.Type, named name: String, role: ColumnSchema.Role, options: [MagicOption]
  ) -> PropertySchema {
    if let target = type as? any MagicObject.Type {
      return toOne(target, named: name, role: role, options: options)
    }
    if let collection = type as? any ObjectCollection.Type, role == .required {
      return self.collection(collection, named: name, options: options)
    }
    if let file = type as? any FileValue.Type {
      return self.file(file, named: name, role: role, options: options)
    }
    if let lazy = type as? any LazyValue.Type,
      let schema = self.lazy(lazy, named: name, role: role, options: options)
    {
      return schema
    }
    return TypedColumn<Value>(property: name, role: role, options: options, template: reference)
  }

  private func file<Value: FileValue>(
    _ type: Value.Type, named name: String, role: ColumnSchema.Role, options: [MagicOption]
  ) -> PropertySchema {
    FileColumn<Value>(fileProperty: name, role: role, options: options, template: reference)
  }

  private func toOne<Target: MagicObject>(
    _ target: Target.Type, named name: String, role: ColumnSchema.Role, options: [MagicOption]
  ) -> PropertySchema {
    TypedToOneColumn<Target>(property: name, role: role, options: options, template: reference)
  }

  private func collection<Value: ObjectCollection>(
    _ type: Value.Type, named name: String, options: [MagicOption]
  ) -> PropertySchema {
    TypedCollectionColumn<Value>(property: name, options: options, template: reference)
  }
}

/// Lazy properties: each kind of content has a column or collection type of its own.
extension MagicProperty {
  /// - Returns: nil if lazy content of this type cannot be stored.
  private func lazy<Value: LazyValue>(
    _ type: Value.Type, named name: String, role: ColumnSchema.Role, options: [MagicOption]
  ) -> PropertySchema? {
    if let target = Value.Content.self as? any MagicObject.Type {
      return lazyToOne(target, of: type, named: name, role: role, options: options)
    }
    if let content = Value.Content.self as? any ObjectCollection.Type, role == .required {
      return lazyCollection(content, of: type, named: name, options: options)
    }
    if let content = Value.Content.self as? any FileValue.Type {
      return lazyFile(content, of: type, named: name, role: role, options: options)
    }
    return nil
  }

  private func lazyFile<Value: LazyValue, Content: FileValue>(
    _ content: Content.Type, of type: Value.Type, named name: String, role: ColumnSchema.Role,
    options: [MagicOption]
  ) -> PropertySchema {
    LazyFileColumn<Value, Content>(
      property: name, role: role, options: options, template: reference)
  }

  private func lazyToOne<Value: LazyValue, Target: MagicObject>(
    _ target: Target.Type, of type: Value.Type, named name: String, role: ColumnSchema.Role,
    options: [MagicOption]
  ) -> PropertySchema {
    LazyToOneColumn<Value, Target>(
      property: name, role: role, options: options, template: reference)
  }

  private func lazyCollection<Value: LazyValue, Content: ObjectCollection>(
    _ content: Content.Type, of type: Value.Type, named name: String, options: [MagicOption]
  ) -> PropertySchema {
    LazyCollectionColumn<Value, Content>(property: name, options: options, template: reference)
  }
}
