import Foundation
import MagicRuntime
package import Magical

/// A property of a type as a database describes it: a row of `magic_columns`.
///
/// The file `database.json` of an exported folder contains it as an object, whose keys are `CodingKeys` and must
/// not change.
package struct StoredProperty: Equatable, Codable, Sendable {
  /// What the values of a property represent.
  package enum Form: Equatable, Sendable {
    case value(ValueForm)
    /// A to-one relationship.
    case one
    case collection(LinkKind)
    /// The inverse of a relationship of another type.
    case inverse
    /// A collection whose join rows are objects of another type.
    case through

    var text: String {
      switch self {
      case .value(let form): form.rawValue
      case .one: "one"
      case .collection(let kind): kind.rawValue
      case .inverse: "inverse"
      case .through: "through"
      }
    }

    /// Nil for a form that this version of the library does not know.
    package init?(text: String) {
      switch text {
      case "one": self = .one
      case "inverse": self = .inverse
      case "through": self = .through
      default:
        if let form = ValueForm(rawValue: text) {
          self = .value(form)
        } else if let kind = LinkKind(rawValue: text) {
          self = .collection(kind)
        } else {
          return nil
        }
      }
    }

    package init(_ form: ValueForm) { self = .value(form) }

    /// The form of values; nil for relationships.
    package var value: ValueForm? {
      if case .value(let form) = self { form } else { nil }
    }
  }

  /// What only some forms have. It is stored as a JSON object.
  package struct Details: Codable, Equatable, Sendable {
    /// The stored values of an enumeration.
    package var cases: [StoredCase]?
    /// The form of a dictionary's keys.
    package var keys: String?
    /// For an inverse relationship, the table and the name of the relationship that it inverts. For a
    /// collection through a join type, the table of that type and its to-one to the owner.
    package var table: String?
    package var property: String?
    /// For a collection through a join type, its to-one to the members and the property that orders
    /// them, and the kind of the collection.
    package var target: String?
    package var order: String?
    package var collection: String?
    /// The collation of a column of texts: `caseInsensitive`, or `localized:` and the identifier of a
    /// locale.
    package var collation: String?

    package init() {}

    var isEmpty: Bool { self == Details() }
  }

  /// The name of the property in Swift.
  package let property: String
  /// The name of the column, or of the collection in `magic_relationships`; nil for an inverse
  /// relationship and for a collection through a join type.
  package let column: String?
  /// The Swift type of the property. For an optional property it is the type inside the optional.
  package let swiftType: String
  /// The form and the details, as they are stored.
  package let formText: String
  package let detailsText: String?

  private enum CodingKeys: String, CodingKey {
    case property = "name"
    case column, swiftType
    case formText = "form"
    case detailsText = "details"
  }

  package init(
    property: String, column: String?, swiftType: String, formText: String, detailsText: String?
  ) {
    (self.property, self.column, self.swiftType) = (property, column, swiftType)
    (self.formText, self.detailsText) = (formText, detailsText)
  }

  /// What the values represent; nil for a form that this version of the library does not know.
  package var form: Form? { Form(text: formText) }

  /// Details of a later version of the library, or of another program, may have another form. They
  /// are ignored.
  package var details: Details {
    detailsText.flatMap { try? JSONDecoder().decode(Details.self, from: Data($0.utf8)) }
      ?? Details()
  }
}

extension StoredProperty {
  /// Returns the properties of a type, in the order of their names.
  package static func all(of schema: ObjectSchema) throws -> [StoredProperty] {
    try schema.properties.map(StoredProperty.init).sorted { $0.property < $1.property }
  }

  private init(_ property: PropertySchema) throws {
    let form: Form
    var details = Details()
    switch property {
    case is ToOneColumn: form = .one
    case let collection as CollectionColumn where collection.through != nil:
      form = .through
      if let join = try collection.joinType {
        let columns = join.schema.columns
        details.table = join.schema.tableName
        details.property = columns[join.owner].property
        details.target = columns[join.target].property
        details.order = join.order.map { columns[$0].property }
        details.collection = collection.kind.rawValue
      }
    case let collection as CollectionColumn:
      form = .collection(collection.kind)
      details.keys = collection.makeKeys().map { Self.form(of: $0).rawValue }
    case let inverse as ReverseProperty:
      let (owner, relationship) = try inverse.relationship.resolved()
      form = .inverse
      details.table = owner.tableName
      details.property = relationship.property
    case let column as ColumnSchema where column.isFile: form = .value(.asset)
    default:
      form = .value(Self.form(of: property.valueType))
      details.cases = (property.valueType as? any Magical.Type).flatMap(StoredCase.all)
      details.collation = (property as? ColumnSchema)?.collation?.name
    }
    self.init(
      property: property.property,
      column: form == .inverse || form == .through ? nil : property.name,
      swiftType: String(describing: property.valueType), formText: form.text,
      detailsText: try Self.text(of: details))
  }

  /// Returns the form of a column's values; nil for a to-one relationship.
  package static func form(of column: ColumnSchema) -> ValueForm? {
    if column is ToOneColumn { return nil }
    return column.isFile ? .asset : form(of: column.valueType)
  }

  private static func form(of type: Any.Type) -> ValueForm {
    (type as? any Magical.Type).map { ValueForm($0) } ?? .json
  }

  /// A key that is not `Magical` is stored as JSON, and so are the keys of some types that became
  /// `Magical` later: their storage class is not that of values.
  private static func form(of keys: any LinkKeys) -> ValueForm {
    func storageClass<Key: Magical>(_ type: Key.Type) -> MagicalStorageClass {
      Key.StoredValue.storageClass
    }
    guard let type = keys.keyType as? any Magical.Type, storageClass(type) == keys.storageClass
    else { return .json }
    return ValueForm(type)
  }

  /// Returns details as JSON; nil if there are none.
  package static func text(of details: Details) throws -> String? {
    guard !details.isEmpty else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(details), as: UTF8.self)
  }

  /// Returns a hash of the properties of a type. Their order makes no difference.
  package static func fingerprint(of properties: [StoredProperty]) -> String {
    let rows = properties.sorted { $0.property < $1.property }.map {
      [$0.property, $0.column ?? "", $0.swiftType, $0.formText, $0.detailsText ?? ""]
        .joined(separator: "\u{1F}")
    }
    return ObjectSchema.fingerprint(of: rows.joined(separator: "\u{1E}"))
  }
}

extension ObjectSchema {
  /// The hash of the description of the properties. It is computed once.
  package var propertiesFingerprint: String {
    get throws {
      if let cached = resolution.withLock({ resolution.propertiesFingerprint }) { return cached }
      let fingerprint = StoredProperty.fingerprint(of: try StoredProperty.all(of: self))
      resolution.keep { $0.propertiesFingerprint = fingerprint }
      return fingerprint
    }
  }
}
