package import Magical

/// The description of one magic property of a type.
package class PropertySchema: @unchecked Sendable {
  /// The name of the property in Swift.
  package let property: String
  package let options: [MagicOption]
  package let valueType: Any.Type
  /// Whether the value is fetched when the property is read, not together with the object.
  package let isLazy: Bool
  /// The property of the type's template object.
  package let template: PropertyReference

  package init(
    property: String, options: [MagicOption], valueType: Any.Type, template: PropertyReference,
    isLazy: Bool = false
  ) {
    self.isLazy = isLazy
    self.property = property
    self.options = options
    self.valueType = valueType
    self.template = template
  }

  /// How the value is stored in a packed row.
  package var packing: _MagicalPacking { .object }

  /// Returns the value as people see it, without reading a database; nil if there is no value.
  func shown(_ reference: PropertyReference) -> Any? { nil }
}

extension PropertySchema {
  package var name: String {
    if isRowID { return "z_index" }
    for case .named(let name) in options.map(\.kind) { return name }
    return property
  }

  /// The key of the property in JSON documents of objects.
  package var documentKey: String {
    for case .namedInJSON(let key) in options.map(\.kind) { return key }
    return property
  }

  /// Whether the value of the property is the row ID.
  package var isRowID: Bool { options.contains { $0.kind == .rowID } }

  /// The former names of the column or join table.
  package var formerNames: [String] {
    options.compactMap { if case .wasNamed(let name) = $0.kind { name } else { nil } }
  }

  /// Whether the property is declared on the given line of a type, which may be a superclass of the
  /// object's type. The type must not have type arguments.
  func isDeclared(by type: String, line: Int) -> Bool {
    guard template.isBox else { return false }
    let box = unsafeDowncast(template.storage, to: AnyPropertyBox.self)
    guard box.line == line, let origin = box.origin else { return false }
    return String(cString: origin.typeName) == type
  }
}
