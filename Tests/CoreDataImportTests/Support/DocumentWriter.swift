@testable import CoreDataImport

/// Writes a model as Xcode stores it.
enum DocumentWriter {
  static func document(_ entities: [CoreDataModel.Entity]) -> String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
      #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" "#
        + #"sourceLanguage="Swift" userDefinedModelVersionIdentifier="">"#,
      "  <!-- entities <in> a comment -->",
    ]
    for entity in entities {
      lines.append(
        "  <entity"
          + values(
            entity.name,
            [
              ("representedClassName", entity.name), ("parentEntity", entity.parent),
              ("isAbstract", entity.isAbstract ? "YES" : nil), ("syncable", "YES"),
            ]) + ">")
      for attribute in entity.attributes { lines += text(attribute) }
      for relationship in entity.relationships { lines.append(text(relationship)) }
      for name in entity.otherProperties {
        lines.append("    <fetchedProperty\(values(name, []))/>")
      }
      if !entity.uniqueKeys.isEmpty {
        lines.append("    <uniquenessConstraints>")
        for key in entity.uniqueKeys {
          lines.append("      <uniquenessConstraint>")
          lines += key.map { "        <constraint value=\"\($0)\"/>" }
          lines.append("      </uniquenessConstraint>")
        }
        lines.append("    </uniquenessConstraints>")
      }
      lines.append("  </entity>")
    }
    return (lines + ["</model>", ""]).joined(separator: "\n")
  }

  private static func values(_ name: String, _ pairs: [(String, String?)]) -> String {
    ([("name", name)] + pairs).compactMap { key, value in
      value.map {
        " \(key)=\"\($0.replacing("&", with: "&amp;").replacing("\"", with: "&quot;"))\""
      }
    }.joined()
  }

  private static func text(_ attribute: CoreDataModel.Attribute) -> [String] {
    let kind =
      switch attribute.kind {
      case .integer16: "Integer 16"
      case .integer32: "Integer 32"
      case .integer64: "Integer 64"
      case .decimal: "Decimal"
      case .double: "Double"
      case .float: "Float"
      case .string: "String"
      case .boolean: "Boolean"
      case .date: "Date"
      case .binary: "Binary"
      case .uuid: "UUID"
      case .uri: "URI"
      default: "Transformable"
      }
    var (value, date): (String?, String?)
    switch attribute.defaultValue {
    case .integer(let integer)? where attribute.kind == .boolean:
      value = integer == 0 ? "NO" : "YES"
    case .integer(let integer)?: value = "\(integer)"
    case .real(let real)? where attribute.kind == .date: date = "\(real)"
    case .real(let real)?: value = "\(real)"
    case .text(let text)?: value = text
    case nil: break
    }
    let start =
      "    <attribute"
      + values(
        attribute.name,
        [
          ("optional", attribute.isOptional ? "YES" : nil),
          ("transient", attribute.isTransient ? "YES" : nil), ("attributeType", kind),
          ("defaultValueString", value), ("defaultDateTimeInterval", date),
          ("allowsExternalBinaryDataStorage", attribute.isExternal ? "YES" : nil),
        ])
    guard attribute.isPrimary else { return [start + "/>"] }
    return [
      start + ">", "      <userInfo>", #"        <entry key="primaryKey" value="true"/>"#,
      "      </userInfo>", "    </attribute>",
    ]
  }

  private static func text(_ relationship: CoreDataModel.Relationship) -> String {
    let rule =
      switch relationship.deleteRule {
      case .noAction: "No Action"
      case .nullify: "Nullify"
      case .cascade: "Cascade"
      case .deny: "Deny"
      }
    return "    <relationship"
      + values(
        relationship.name,
        [
          ("optional", relationship.isOptional ? "YES" : nil),
          ("maxCount", relationship.isToMany ? nil : "1"),
          ("toMany", relationship.isToMany ? "YES" : nil),
          ("ordered", relationship.isOrdered ? "YES" : nil), ("deletionRule", rule),
          ("destinationEntity", relationship.destination), ("inverseName", relationship.inverse),
        ]) + "/>"
  }
}
