import DatabaseTransfer

extension ForeignForm {
  /// The form of an attribute's values, unless a type declares another one; nil if the values cannot
  /// be imported.
  init?(_ attribute: CoreDataModel.Attribute) {
    switch attribute.kind {
    case .integer16: self = .integer(Int64(Int16.min)...Int64(Int16.max))
    case .integer32: self = .integer(Int64(Int32.min)...Int64(Int32.max))
    case .integer64: self = .integer(.min ... .max)
    case .decimal: self = .decimal
    case .double: self = .real
    case .float: self = .float
    case .string: self = .text
    case .boolean: self = .bool
    case .date: self = .date
    case .binary, .transformable: self = attribute.isExternal ? .asset : .data
    case .uuid: self = .uuid
    case .uri: self = .url
    case .undefined, .objectID, .composite: return nil
    }
  }

  /// Whether the values of an attribute can have the form.
  func accepts(_ attribute: CoreDataModel.Attribute) -> Bool {
    switch (attribute.kind, self) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer),
      (.integer16, .bool), (.integer32, .bool), (.integer64, .bool),
      (.integer16, .real), (.integer32, .real), (.integer64, .real),
      (.boolean, .bool), (.boolean, .integer),
      (.double, .real), (.float, .real), (.float, .float), (.double, .float),
      (.decimal, .decimal), (.decimal, .real), (.decimal, .integer),
      (.string, .text), (.string, .url), (.string, .uuid), (.uri, .url), (.uri, .text),
      (.date, .date), (.date, .real),
      (.uuid, .uuid), (.uuid, .uuidBytes),
      (.binary, .data), (.binary, .asset), (.transformable, .data), (.transformable, .asset):
      true
    default: false
    }
  }

  /// Returns the value of a default; nil if the form does not have it.
  func value(of value: CoreDataModel.Attribute.Default) -> TransferredValue? {
    switch (self, value) {
    case (.integer(let range), .integer(let integer)) where range.contains(integer):
      .integer(integer)
    case (.bool, .integer(let integer)): .boolean(integer != 0)
    case (.real, .integer(let integer)), (.float, .integer(let integer)),
      (.date, .integer(let integer)):
      .real(Double(integer))
    case (.real, .real(let real)), (.float, .real(let real)), (.date, .real(let real)):
      real.isNaN ? nil : .real(real)
    case (.text, .text(let text)): .text(Array(text.utf8))
    default: nil
    }
  }
}
