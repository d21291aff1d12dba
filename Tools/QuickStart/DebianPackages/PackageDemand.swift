/// A package in a dependency or in a `Provides` field: `libc6:amd64 (>= 2.36)`.
package struct PackageDemand: Equatable, Sendable {
  package let name: String
  /// The architecture after the colon; `any` for every architecture.
  package let architecture: String?
  package let versions: VersionRange?

  /// Parses a text; nil if it is invalid.
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
    let sign = text.prefix { Self.less...Self.greater ~= $0 }
    switch (sign.first, sign.dropFirst().first, sign.count) {
    case (Self.less, Self.less, 2): relation = .below
    // The single signs are obsolete, and mean "or equal".
    case (Self.less, Self.equal, 2), (Self.less, nil, 1): relation = .atMost
    case (Self.equal, nil, 1): relation = .exactly
    case (Self.greater, Self.equal, 2), (Self.greater, nil, 1): relation = .atLeast
    case (Self.greater, Self.greater, 2): relation = .above
    default: return nil
    }
    let version = text[sign.endIndex...].trimmed
    guard !version.isEmpty, !version.contains(where: { $0.isBlank || "()".utf8.contains($0) })
    else { return nil }
    self.version = String(Substring(version))
  }

  // The three signs are adjacent in ASCII.
  private static let less = UInt8(ascii: "<")
  private static let equal = UInt8(ascii: "=")
  private static let greater = UInt8(ascii: ">")

  package func contains(_ other: DebianVersion) -> Bool {
    let limit = DebianVersion(version)
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
