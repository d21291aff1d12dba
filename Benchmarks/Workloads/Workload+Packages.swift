extension Workload {
  static let packages = [
    Workload("Q1", "insert an archive of packages in one transaction", start: .new) { count in
      let archive = archive(count)
      let operations = archive.packages.count
      return Steps(
        measured: .insertPackages(archive),
        check: .fetchClosures(Sample.ids(max(10, operations / 1_000), of: archive)),
        operations: operations)
    },
    ofArchive("Q2", "awaited lookups of a package with all it needs", part: 100) {
      .fetchClosures($0)
    },
    ofArchive("Q3", "awaited counts of a package's dependents", part: 5) { .countDependents($0) },
    ofArchive(
      "Q3e", "awaited lookups of a package's dependents, with all they need", part: 100
    ) { .lookUpDependents($0) },
  ]

  /// An archive of 60,000 packages for 100,000 people.
  private static func archive(_ count: Int) -> PlainArchive { .make(count * 6 / 10) }

  /// A workload that looks up a part of the packages.
  private static func ofArchive(
    _ name: String, _ title: String, part: Int, _ work: @escaping @Sendable ([String]) -> Work
  ) -> Workload {
    Workload(name, title, isOfSingleOperations: true) { count in
      let archive = archive(count)
      let operations = archive.packages.count / part
      return Steps(
        before: [.insertPackages(archive)], measured: work(Sample.ids(operations, of: archive)),
        operations: operations)
    }
  }
}
