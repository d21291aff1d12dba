import MagicRuntime
import Magical

/// The rules that a type must satisfy to have a table.
package enum SchemaRules {
  /// The maximum number of columns of a table, except for the row ID.
  private static let columnLimit = 1_999

  package static func check<Model: MagicObject>(
    _ properties: [PropertySchema], of type: Model.Type
  ) throws {
    func refuse(_ message: String, _ property: PropertySchema? = nil) -> MagicError {
      MagicError(
        .invalidSchema, message, type: TypeName.unqualified(type), property: property?.property)
    }

    let stored = properties.filter { !($0 is ReverseProperty) }
    guard !stored.isEmpty else {
      throw refuse("The type has no stored magic property. Declare at least one.")
    }
    guard properties.count <= columnLimit else {
      throw refuse(
        "The type has \(properties.count) magic properties; the limit is \(columnLimit).")
    }
    guard stored.filter({ ($0 as? ColumnSchema)?.role == .primary }).count <= 1 else {
      throw refuse("The type has more than one @PrimaryMagicValue. Keep one of them.")
    }
    guard stored.filter({ $0 is VersionColumn }).count <= 1 else {
      throw refuse("The type has more than one @MagicVersion. Keep one of them.")
    }

    try NameRules.check(Model.tableName, of: "table", refuse: { refuse($0) })
    guard !Model.tableName.lowercased().hasPrefix("magic_") else {
      throw refuse(
        "Table names that begin with magic_ are reserved for the library. Rename the table.")
    }

    var names: [String: PropertySchema] = [:]
    for property in properties {
      guard property.property != "zIndex",
        property.isRowID || property.name.lowercased() != "z_index"
      else {
        throw refuse(
          "The names zIndex and z_index are reserved for the row ID. Rename the property.", property
        )
      }
      guard !(property is ReverseProperty) else { continue }
      try NameRules.check(property.name, of: "column", refuse: { refuse($0, property) })
      if let other = names.updateValue(property, forKey: property.name.lowercased()) {
        throw refuse(
          "The property \(other.property) has the same column name. "
            + "Column names must differ in more than case.",
          property)
      }
      if let reason = problem(of: property) { throw refuse(reason, property) }
    }
    try checkFormerNames(stored, refuse)
    for former in Model.wasNamed {
      try NameRules.check(former, of: "former table", refuse: { refuse($0) })
      guard former.lowercased() != Model.tableName.lowercased() else {
        throw refuse("A former table name is the same as the current one. Remove it from wasNamed.")
      }
    }
  }

  private static func checkFormerNames(
    _ properties: [PropertySchema], _ refuse: (String, PropertySchema?) -> MagicError
  ) throws {
    var claimed: [String: PropertySchema] = [:]
    for property in properties {
      for former in property.formerNames {
        try NameRules.check(former, of: "former column", refuse: { refuse($0, property) })
        guard former.lowercased() != "z_index" else {
          throw refuse(
            "The column z_index is reserved for the row ID. Remove it from the former names.",
            property)
        }
        if let other = claimed.updateValue(property, forKey: former.lowercased()) {
          throw refuse(
            "The property \(other.property) has the same former name \(former). Remove one of "
              + "them.", property)
        }
      }
    }
  }

  /// Returns the reason why a property cannot be stored as it is declared; nil if it can.
  private static func problem(of property: PropertySchema) -> String? {
    if property.searchWeight != nil {
      guard let column = property as? ColumnSchema else { return ColumnSchema.unsearchable }
      if let problem = column.searchProblem { return problem }
    }
    if let problem = property.collationProblem { return problem }
    if property.documentKey.isEmpty || property.documentKey.hasPrefix("$") {
      return "A key of JSON documents is not empty, and does not begin with $. Change named(json:)."
    }
    switch property {
    case is ColumnSchema where property.options.contains(.owned):
      return "Only an array of objects can be owned. Remove the option owned."
    case is VersionColumn where property.options.contains(.unique):
      return "Objects have equal versions. Remove the option unique."
    case let toOne as ToOneColumn:
      if !isRelationship(property) { return unknownRelationship }
      if toOne.role == .required, toOne.deleteRule == .nullify {
        return "A required relationship cannot be set to nil. Use the delete rule deny or cascade."
      }
      return nil
    case let collection as CollectionColumn:
      if !isRelationship(property) { return unknownRelationship }
      if collection.isOwned, collection.kind != .list {
        return "Only an array of objects can be owned. Remove the option owned, or use an array."
      }
      let wrong = collection.options.contains { $0 == .unique || $0 == .indexed }
      return wrong
        ? "A collection of objects has no column. Remove the options unique and indexed." : nil
    default:
      if property.options.contains(where: { if case .onDelete = $0.kind { true } else { false } }) {
        return "Only a relationship can have a delete rule. Remove the option onDelete."
      }
      if property.isRowID, property.options.contains(where: { !$0.fitsRowID }) {
        return "A primary that is the row ID has no column of its own. Remove all options except "
          + "rowID, wasNamed and named(json:)."
      }
      if let column = property as? ColumnSchema, column.role == .optional,
        column.valueType is any ObjectCollection.Type
      {
        return "A collection of objects cannot be nil. Declare it with @MagicValue."
      }
      if let lazy = property.valueType as? any LazyValue.Type,
        (property as? ColumnSchema)?.isFile != true
      {
        return problem(ofLazy: lazy)
      }
      if property.valueType is any MagicalRelation.Type {
        return "A property of type \(property.valueType) cannot contain objects. "
          + "Use an array, a dictionary or a MagicalSet, and import MagicRelations."
      }
      return parts(of: property.valueType).contains(where: containsObjects)
        ? "Collections of collections of objects cannot be stored." : nil
    }
  }

  /// Returns the reason why a lazy property cannot be stored.
  private static func problem<Value: LazyValue>(ofLazy type: Value.Type) -> String {
    Value.Content.self is any ObjectCollection.Type
      ? "A collection of objects cannot be nil. Declare it with @MagicValue."
      : "Only objects, collections of objects and assets can be lazy."
  }

  private static let unknownRelationship =
    "The property is declared in generic code that does not constrain its type to MagicalRelation."

  private static func isRelationship(_ property: PropertySchema) -> Bool {
    property.template.storage is any RelationshipStorage
  }

  private static func containsObjects(_ type: Any.Type) -> Bool {
    type is any MagicObject.Type || parts(of: type).contains(where: containsObjects)
  }

  private static func parts(of type: Any.Type) -> [Any.Type] {
    (type as? any CompositeValue.Type)?.parts ?? []
  }
}

extension MagicOption {
  /// Whether a property whose value is the row ID can have the option.
  fileprivate var fitsRowID: Bool {
    switch kind {
    case .rowID, .wasNamed, .namedInJSON: true
    case .indexed, .unique, .named, .onDelete, .owned, .searchable, .compared: false
    }
  }
}
