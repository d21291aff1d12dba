import Magical

/// All that reflection sees of a property wrapper.
package protocol MagicProperty {
  var reference: PropertyReference { get }

  /// What the property is to the database.
  func schema(named name: String, options: [MagicOption]) -> PropertySchema
}

extension MagicProperty {
  /// A column for a value or a to-one, or a collection.
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

/// Properties that are fetched when they are asked for: for each kind of content a column or a
/// collection of its own.
extension MagicProperty {
  /// - Returns: nil for content that cannot be stored like this.
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

/// Values that are made of others.
package protocol CompositeValue {
  static var parts: [Any.Type] { get }
}

extension Array: CompositeValue { package static var parts: [Any.Type] { [Element.self] } }
extension Set: CompositeValue { package static var parts: [Any.Type] { [Element.self] } }
extension Optional: CompositeValue { package static var parts: [Any.Type] { [Wrapped.self] } }

extension Dictionary: CompositeValue {
  package static var parts: [Any.Type] { [Key.self, Value.self] }
}
