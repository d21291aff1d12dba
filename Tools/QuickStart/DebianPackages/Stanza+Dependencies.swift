extension Stanza {
  /// A dependency field as it is written, once it is known to be a list of packages; nil where the
  /// field is missing or empty.
  package func dependencies(_ name: String) throws(MalformedStanza) -> String? {
    guard let value = optional(name) else { return nil }
    guard Dependency.list(in: value) != nil else {
      throw invalid(name, expected: "a list of packages")
    }
    return value
  }
}
