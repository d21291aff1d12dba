/// One item of a dependency field: `exim4 | mail-transport-agent`.
package struct Dependency: Equatable, Sendable {
  /// The alternative packages, the preferred one first; never empty.
  package let alternatives: [PackageDemand]

  /// Parses the value of a dependency field, a list with commas; nil if the value is invalid.
  package static func list(in text: String) -> [Dependency]? {
    var list: [Dependency] = []
    for item in text.utf8.split(separator: UInt8(ascii: ",")) {
      // Extra commas are ignored.
      if item.allSatisfy(\.isBlank) { continue }
      guard let dependency = Dependency(item) else { return nil }
      list.append(dependency)
    }
    return list
  }

  private init?(_ item: Substring.UTF8View) {
    var alternatives: [PackageDemand] = []
    for text in item.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false) {
      guard let demand = PackageDemand(text) else { return nil }
      alternatives.append(demand)
    }
    self.alternatives = alternatives
  }
}
