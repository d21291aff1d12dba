import MagicRuntime

extension MagicObject {
  /// The name of the type, the row ID and the properties with their values. A property without a
  /// value is shown as "–".
  public var debugDescription: String {
    guard let schema = try? ObjectSchema.of(Self.self) else {
      return TypeName.unqualified(Self.self)
    }
    let values = schema.withReference(to: self) { object in
      zip(schema.columns + schema.collections, 0...).map { property, index in
        let value = property.shown(object.property(index)) ?? ShownText("–")
        return "\(property.property): \((value as? String)?.debugDescription ?? "\(value)")"
      }
    }
    let row = zIndex.map { "row \($0)" } ?? "unsaved"
    return "\(schema.typeName)(\(([row] + values).joined(separator: ", ")))"
  }

  /// The properties with their values, for `dump`, debuggers and tests. A property without a value
  /// is shown as "–", an object by its type and row ID, a collection of objects by the number of
  /// objects. Nothing is read from a database.
  public var customMirror: Mirror {
    let schema = try? ObjectSchema.of(Self.self)
    let children = InstanceProperty.all(of: self).map { stored -> Mirror.Child in
      guard let wrapper = stored.value as? any MagicProperty,
        let property = schema?.properties.first(where: { $0.property == stored.wrappedName })
      else { return (stored.name, stored.value) }
      return (property.property, property.shown(wrapper.reference) ?? ShownText("–"))
    }
    return Mirror(
      self, children: children, displayStyle: Self.self is AnyObject.Type ? .class : .struct,
      ancestorRepresentation: .suppressed)
  }
}

extension ShownText {
  init<Model: MagicObject>(_ object: Model) {
    let row = object.zIndex.map { "row \($0)" } ?? "unsaved"
    self.init("\(TypeName.unqualified(Model.self))(\(row))")
  }

  init<Objects: ObjectCollection>(_ objects: Objects) {
    let count = objects.membersAndKeys.members.count
    self.init("\(count) \(TypeName.unqualified(Objects.Member.self))")
  }
}
