/// The one mistake that ends the process: reading a property that has no value.
@usableFromInline
enum Trap {
  @usableFromInline
  static func unset(_ reference: PropertyReference) -> Never {
    fatalError(
      "\(name(of: reference)) was read before it was set. "
        + "Give it a default, set it in init, or declare it with @OptionMagicValue.")
  }

  private static func name(of reference: PropertyReference) -> String {
    guard reference.isCell else { return "A magic property" }
    let cell = unsafeDowncast(reference.storage, to: AnyCell.self)
    guard let start = cell.typeName else { return "A magic property" }
    let type = String(cString: start)
    if let property = ObjectSchema.propertyName(declaringType: type, line: cell.line) {
      return "\(type).\(property)"
    }
    return "The property of \(type) that is declared on line \(cell.line)"
  }
}
