/// Figures about a number of packages.
struct Survey {
  struct Section {
    var name: String
    var count: Int
    /// In KiB.
    var size: Int
  }

  let count: Int
  /// In KiB.
  let size: Int
  /// Largest first, five at most.
  let biggest: [DebianPackage]
  /// Largest first.
  let sections: [Section]

  init(_ packages: [DebianPackage]) {
    count = packages.count
    size = packages.totalSize
    biggest = Array(packages.sorted { $0.order < $1.order }.prefix(5))
    sections =
      Dictionary(grouping: packages, by: \.sectionName)
      .map { Section(name: $0.key, count: $0.value.count, size: $0.value.totalSize) }
      .sorted { ($1.size, $0.name) < ($0.size, $1.name) }
  }

  /// The section with the fewest packages, where there is another.
  var smallestSection: Section? {
    guard sections.count > 1 else { return nil }
    return sections.min { ($0.count, $0.name) < ($1.count, $1.name) }
  }
}

extension [DebianPackage] {
  // A file may claim any size, so the sum may not trap.
  fileprivate var totalSize: Int {
    reduce(0) { sum, package in
      let (total, isTooLarge) = sum.addingReportingOverflow(package.installedSize ?? 0)
      return isTooLarge ? Int.max : total
    }
  }
}

extension DebianPackage {
  fileprivate var order: (Int, String) { (-(installedSize ?? 0), id) }
}
