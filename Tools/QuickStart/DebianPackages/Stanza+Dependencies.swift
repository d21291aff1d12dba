extension Stanza {
  /// The unparsed text of a valid dependency field; nil if the field is missing or empty.
  package func dependencies(_ name: String) throws(MalformedStanza) -> String? {
    guard let value = optional(name) else { return nil }
    guard Dependency.list(in: value) != nil else {
      throw invalid(name, expected: "a list of packages")
    }
    return value
  }
}
