package import Magical

/// One magic property of a type.
package class PropertySchema: @unchecked Sendable {
  /// The property's name in Swift.
  package let property: String
  package let options: [MagicOption]
  package let valueType: Any.Type
  /// Whether the value is fetched when it is asked for, not with its object.
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

  /// What a row keeps for the property.
  package var packing: _MagicalPacking { .object }

  /// The value for people; nil where there is none.
  func text(of reference: PropertyReference) -> String? { nil }
}

extension PropertySchema {
  package var name: String {
    for case .named(let name) in options.map(\.kind) { return name }
    return property
  }

  /// The names it was stored under before.
  package var formerNames: [String] {
    options.compactMap { if case .wasNamed(let name) = $0.kind { name } else { nil } }
  }

  /// Whether the property is declared on a line of a type, which may be an ancestor of the
  /// object's, and has no type arguments.
  func isDeclared(by type: String, line: Int) -> Bool {
    guard template.isBox else { return false }
    let box = unsafeDowncast(template.storage, to: AnyPropertyBox.self)
    guard box.line == line, let origin = box.origin else { return false }
    return String(cString: origin.typeName) == type
  }
}
