/// A package that is asked for, or offered in a `Provides` field: `libc6:amd64 (>= 2.36)`.
package struct PackageDemand: Equatable, Sendable {
  package let name: String
  /// What stands behind the colon: an architecture, or `any` for whichever.
  package let architecture: String?
  package let versions: VersionRange?

  /// Nil where the text is none.
  init?(_ text: Substring.UTF8View) {
    var rest = text.trimmed
    let opening = rest.firstIndex(of: UInt8(ascii: "("))
    if let opening {
      guard rest.last == UInt8(ascii: ")"),
        let versions = VersionRange(rest[opening...].dropFirst().dropLast())
      else { return nil }
      self.versions = versions
      rest = rest[..<opening].trimmed
    } else {
      versions = nil
    }
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      let architecture = rest[colon...].dropFirst()
      guard architecture.isPackageName else { return nil }
      self.architecture = String(Substring(architecture))
      rest = rest[..<colon]
    } else {
      architecture = nil
    }
    guard rest.isPackageName else { return nil }
    name = String(Substring(rest))
  }
}

/// The versions that a dependency allows: `>= 2.36`.
package struct VersionRange: Equatable, Sendable {
  package enum Relation: Sendable { case below, atMost, exactly, atLeast, above }

  package let relation: Relation
  package let version: String

  init?(_ text: Substring.UTF8View) {
    let text = text.trimmed
    let sign = text.prefix { "<=>".utf8.contains($0) }
    switch String(Substring(sign)) {
    case "<<": relation = .below
    // The single signs are of old, and mean what they seem not to.
    case "<=", "<": relation = .atMost
    case "=": relation = .exactly
    case ">=", ">": relation = .atLeast
    case ">>": relation = .above
    default: return nil
    }
    let version = text[sign.endIndex...].trimmed
    guard !version.isEmpty, !version.contains(where: { $0.isBlank || "()".utf8.contains($0) })
    else { return nil }
    self.version = String(Substring(version))
  }

  package func contains(_ other: String) -> Bool {
    if relation == .exactly, other == version { return true }
    let limit = DebianVersion(version)
    let other = DebianVersion(other)
    return switch relation {
    case .below: other < limit
    case .atMost: other <= limit
    case .exactly: other == limit
    case .atLeast: other >= limit
    case .above: other > limit
    }
  }
}

extension Substring.UTF8View {
  fileprivate var trimmed: Substring.UTF8View {
    let start = drop(while: \.isBlank)
    guard let last = start.lastIndex(where: { !$0.isBlank }) else { return start.prefix(0) }
    return start[...last]
  }
}
