/// Statistics of packages.
struct Survey {
  struct SectionSize {
    var name: String
    var count: Int
    /// The size in KiB.
    var size: Int
  }

  let count: Int
  /// The size in KiB.
  let size: Int
  /// The biggest packages, five at most.
  let biggest: [DebianPackage]
  /// Largest first.
  let sections: [SectionSize]

  init(_ packages: [DebianPackage]) {
    let sizes = packages.map { $0.installedSize ?? 0 }
    var sections: [String: SectionSize] = [:]
    for (package, size) in zip(packages, sizes) {
      let name = package.sectionName
      sections[name, default: SectionSize(name: name, count: 0, size: 0)].add(size)
    }
    count = packages.count
    size = Self.sum(sizes)
    biggest =
      sizes.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }.prefix(5).map { packages[$0] }
    self.sections = sections.values.sorted { ($1.size, $0.name) < ($0.size, $1.name) }
  }

  /// The section with the fewest packages, or nil if there is only one.
  var smallestSection: SectionSize? {
    guard sections.count > 1 else { return nil }
    return sections.min { ($0.count, $0.name) < ($1.count, $1.name) }
  }

  static func sum(_ sizes: [Int]) -> Int { sizes.reduce(0, sum) }

  // A file can claim any size, so the sum must not trap.
  fileprivate static func sum(_ size: Int, _ more: Int) -> Int {
    let (total, isTooLarge) = size.addingReportingOverflow(more)
    return isTooLarge ? .max : total
  }
}

extension Survey.SectionSize {
  fileprivate mutating func add(_ more: Int) {
    count += 1
    size = Survey.sum(size, more)
  }
}
