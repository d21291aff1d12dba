/// The value of a property in a record. It is `Sendable`: values of properties are, and so are the
/// identifiers of objects with the keys of a collection.
enum RecordEntry: @unchecked Sendable {
  case null
  case value(Any)

  var value: Any? {
    if case .value(let value) = self { value } else { nil }
  }
}
