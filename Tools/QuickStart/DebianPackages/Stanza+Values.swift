// Values of fields, with errors that name the field and its line.
extension Stanza {
  /// The value on one line; nil if the field is missing or empty.
  package func optional(_ name: String) -> String? {
    folded(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value on one line of a required field.
  package func required(_ name: String) throws(MalformedStanza) -> String {
    guard let value = optional(name) else {
      throw MalformedStanza(line: line(of: name) ?? line, reason: .missingField(name: name))
    }
    return value
  }

  /// A name that dpkg accepts: letters, digits and `-+._`, starting with a letter or digit.
  package func packageName(_ name: String = "Package") throws(MalformedStanza) -> String {
    let value = try required(name)
    guard value.utf8.isPackageName else { throw invalid(name, expected: "a package name") }
    return value
  }

  /// A number of zero or more; nil if the field is missing or empty.
  package func wholeNumber(_ name: String) throws(MalformedStanza) -> Int? {
    guard let value = optional(name) else { return nil }
    guard value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let number = Int(value)
    else { throw invalid(name, expected: "a whole number") }
    return number
  }

  /// A value of `yes` or `no`; a missing field is `no`.
  package func flag(_ name: String) throws(MalformedStanza) -> Bool {
    switch optional(name)?.lowercased() {
    case "yes": return true
    case "no", nil: return false
    default: throw invalid(name, expected: "“yes” or “no”")
    }
  }

  package func invalid(_ name: String, expected: String) -> MalformedStanza {
    let reason = MalformedStanza.Reason.invalidValue(field: name, expected: expected)
    return MalformedStanza(line: line(of: name) ?? line, reason: reason)
  }
}
