import DatabaseTransfer
import MagicSchema

/// The types of a model as Swift source.
struct ModelSource {
  let types: [ImportedType]

  func text() -> String {
    (["import Foundation\nimport MagicData\n"] + types.map(source)).joined(separator: "\n")
  }

  private func source(_ type: ImportedType) -> String {
    var lines = ["struct \(Self.name(type.name)): MagicObject {"]
    if type.table != Self.identifier(type.name) {
      lines.append("  static var tableName: String { \(type.table.debugDescription) }")
      lines.append("")
    }
    lines += type.properties.map { "  " + declaration($0) }
    lines += ["", "  init() {}", "}", ""]
    return lines.joined(separator: "\n")
  }

  private func typeName(_ entity: CoreDataModel.Entity) -> String {
    Self.name(types.first { $0.entity.name == entity.name }?.name ?? entity.name)
  }

  private func declaration(_ property: ImportedProperty) -> String {
    let name = Self.name(property.name)
    var options: [String] = []
    if property.column != Self.identifier(property.name), !property.isInverse {
      options.append(".named(\(property.column.debugDescription))")
    }
    if property.isUnique { options.append(".unique") }
    let mark = property.isOptional ? "?" : ""
    switch property.content {
    case .attribute(_, let attribute, let form):
      let value = property.isOptional ? "" : Self.defaultValue(attribute, form)
      return wrapper(property, options) + " var \(name): \(form.swiftType)\(mark)\(value)"
    case .newKey(let form): return wrapper(property, options) + " var \(name): \(form.swiftType)"
    case .toOne(let link, let rule):
      if rule != (property.isOptional ? .nullify : .deny) { options.append(".onDelete(.\(rule))") }
      return wrapper(property, options) + " var \(name): \(typeName(link.target))\(mark)"
    case .toMany(let link, let kind, let rule, _):
      if rule != .nullify { options.append(".onDelete(.\(rule))") }
      let member = typeName(link.target)
      return wrapper(property, options) + " var \(name): "
        + (kind == .list ? "[\(member)]" : "MagicalSet<\(member)>") + " = []"
    case .inverse(let link, let inverse):
      let target = typeName(link.target)
      return "@ReverseMagicValue(\\\(target).$\(Self.name(inverse))) var \(name): "
        + "AsyncReverseMagicSet<\(target)>"
    }
  }

  private func wrapper(_ property: ImportedProperty, _ options: [String]) -> String {
    let name =
      property.isPrimary
      ? "PrimaryMagicValue" : property.isOptional ? "OptionMagicValue" : "MagicValue"
    return "@\(name)" + (options.isEmpty ? "" : "(\(options.joined(separator: ", ")))")
  }

  private static func defaultValue(
    _ attribute: CoreDataModel.Attribute, _ form: ForeignForm
  ) -> String {
    switch (attribute.defaultValue.flatMap(form.value(of:)), form) {
    case (.integer(let integer)?, _): " = \(integer)"
    case (.boolean(let bool)?, _): " = \(bool)"
    case (.real(let real)?, .date) where real.isFinite:
      " = Date(timeIntervalSinceReferenceDate: \(real))"
    case (.real(let real)?, .real) where real.isFinite,
      (.real(let real)?, .float) where real.isFinite:
      " = \(real)"
    case (.text(let bytes)?, _): " = \(String(decoding: bytes, as: UTF8.self).debugDescription)"
    default: ""
    }
  }

  // MARK: Names

  /// The name as an identifier: other characters would be declarations of their own.
  private static func identifier(_ name: String) -> String {
    var identifier = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isFirst = identifier.isEmpty
      let isValid =
        isFirst
        ? scalar.properties.isXIDStart || scalar == "_" : scalar.properties.isXIDContinue
      identifier.append(isValid ? scalar : "_")
    }
    return identifier.isEmpty ? "_" : String(identifier)
  }

  private static func name(_ name: String) -> String {
    let identifier = identifier(name)
    return keywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  private static let keywords: Set = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "Type", "typealias", "var", "where", "while",
  ]
}
