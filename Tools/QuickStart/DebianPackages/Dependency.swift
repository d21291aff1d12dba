/// One item of a dependency field: `exim4 | mail-transport-agent`.
package struct Dependency: Equatable, Sendable {
  /// The packages of which one is asked for, the preferred one first; never none.
  package let alternatives: [PackageDemand]

  /// Reads the value of a dependency field, items between commas; nil where it is no such list.
  package static func list(in text: String) -> [Dependency]? {
    var list: [Dependency] = []
    for item in text.utf8.split(separator: UInt8(ascii: ",")) {
      // A comma too many says nothing.
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
