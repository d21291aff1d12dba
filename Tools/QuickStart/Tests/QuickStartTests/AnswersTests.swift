import DebianPackages
import Foundation
import MagicData
import Testing

@testable import QuickStart

@Suite struct AnswersTests {
  @Test func aPackageIsFetchedWithAllPackagesThatItNeeds() async throws {
    let text = """
      Package: a
      Depends: b

      Package: b
      Depends: c, d

      Package: c
      Depends: a
      Recommends: e

      Package: d

      Package: e
      """
    try await withImport(of: text) { magic, _ in
      let needs = try await Needs("a", in: magic)
      #expect(needs.others.map(\.name).sorted() == ["b", "c", "d"])
      #expect(needs.depth == 2)
      let last = try await Needs("d", in: magic)
      #expect(last.others.isEmpty)
      #expect(last.depth == 0)
    }
  }

  @Test func theDependentsOfAPackageAreTheInverseOfItsNeeds() async throws {
    let text = (1...7).map { "Package: p\($0)\nDepends: base\n" } + ["Package: base\n"]
    try await withImport(of: text.joined(separator: "\n")) { magic, saved in
      #expect(saved.questions.neededBy == "base")
      let neededBy = try await NeededBy("base", in: magic)
      #expect(neededBy.count == 7)
      #expect(neededBy.names.count == 5)
      #expect(Set(neededBy.names).isSubset(of: (1...7).map { "p\($0)" }))
      #expect(try await NeededBy("p1", in: magic).names.isEmpty)
    }
  }

  @Test func recommendationsAreFoundFromBothPackages() async throws {
    try await withImport(of: "Package: a\nRecommends: b\n\nPackage: b\n") { magic, saved in
      #expect(saved.recommendations == 1)
      let package = try await magic.object(of: DebianPackage.self, primary: "a")
      var names: [String] = []
      for try await each in package.recommendations { names.append(each.recommended.name) }
      #expect(names == ["b"])
      try await magic.remove(package)
      #expect(try await magic.object(of: Recommendation.self).isEmpty)
      #expect(try await magic.has(of: DebianPackage.self, primary: "b"))
    }
  }

  @Test func theMaintainersWithTheMostPackagesAreFirst() async throws {
    let text = ["x", "y", "y", "z", "z", "z", "w"].enumerated().map {
      "Package: p\($0)\nMaintainer: \($1)\n"
    }
    try await withImport(of: text.joined(separator: "\n")) { magic, _ in
      let maintainers = try await Maintainers(in: magic)
      #expect(maintainers.count == 4)
      #expect(maintainers.busiest.map(\.name) == ["z", "y", "w"])
      #expect(maintainers.busiest.map(\.packages) == [3, 2, 1])
    }
  }

  @Test func packagesAboutATextAreFoundInNamesAndDescriptions() async throws {
    let text = """
      Package: zlib
      Description: compression library
       Some text.

      Package: other
      Description: a tool
       It uses libraries for compressing\u{1B}files.

      Package: none
      Description: nothing
      """
    try await withImport(of: text) { magic, saved in
      let about = try await Answers(saved.questions, in: magic).about
      #expect(about.text == Questions.defaultText)
      #expect(about.count == 2)
      let shown = about.hits.map { $0.snippet.printable(isBold: false) }
      #expect(about.hits.map(\.name.text) == ["zlib", "other"])
      #expect(shown.first == "[compression] [library]")
      #expect(shown.last?.contains("[libraries] for [compressing]\u{FFFD}files") == true)
      #expect(about.hits.first?.snippet.printable(isBold: true).hasPrefix("\u{1B}[1mc") == true)
      #expect(try await About("zli", in: magic).count == 1)
    }
  }

  @Test func anUnknownPackageNameDoesNotChangeTheDatabase() async throws {
    try await withImport(of: "Package: a\n") { magic, _ in
      let wishes = Questions.Wishes(needs: "b", neededBy: nil)
      await #expect(throws: Questions.Unknown.self) {
        try await save("Package: c\n", into: magic, asking: wishes)
      }
      let packages = try await magic.object(of: DebianPackage.self)
      #expect(packages.map(\.name) == ["a"])
    }
  }

  private func save(
    _ text: String, into magic: MagicData, asking wishes: Questions.Wishes = .init()
  ) async throws -> PackageImport {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await PackageImport(PackageFile(path: url.path), into: magic, asking: wishes)
  }

  private func withImport(
    of text: String, _ body: (MagicData, PackageImport) async throws -> Void
  ) async throws {
    let magic = try await MagicData(type: .memory)
    let saved = try await save(text, into: magic)
    try await body(magic, saved)
    await magic.close()
  }
}
