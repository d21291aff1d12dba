import DebianPackages
import MagicData
import Testing

@testable import QuickStart

@Suite struct PackageArchiveTests {
  @Test func packagesReferToThePackagesThatFulfilTheirDependencies() throws {
    let archive = try archive(
      """
      Package: a
      Depends: b (>= 2) | c, virtual, nowhere
      Pre-Depends: c

      Package: b
      Version: 1

      Package: c

      Package: d
      Provides: virtual
      """)
    #expect(names(archive.packages[0].needs) == ["c", "d"])
    #expect(archive.packages.dropFirst().allSatisfy { $0.needs.isEmpty })
    #expect(archive.needs == 2)
    #expect(archive.unmet == 1)
  }

  @Test func aPackageOfTwoDependenciesIsNeededOnce() throws {
    let archive = try archive("Package: a\nDepends: b (>> 1), b (<< 3)\n\nPackage: b\nVersion: 2\n")
    #expect(names(archive.packages[0].needs) == ["b"])
    #expect(archive.needs == 1)
  }

  @Test func aPackageDoesNotNeedItself() throws {
    let archive = try archive(
      "Package: b\nProvides: x\n\nPackage: a\nDepends: a, x\nProvides: x\n")
    #expect(archive.packages.allSatisfy { $0.needs.isEmpty })
    #expect(archive.unmet == 0)
  }

  @Test func aRecommendationIsItsOwnObject() throws {
    let archive = try archive(
      "Package: a\nDepends: b\nRecommends: b, c, d\n\nPackage: b\n\nPackage: c\n")
    #expect(names(archive.packages[0].needs) == ["b"])
    #expect(archive.recommendations.map(\.package.name) == ["a"])
    #expect(archive.recommendations.map(\.recommended.name) == ["c"])
    #expect(archive.unmet == 0)
  }

  @Test func aRemovedPackageFulfilsNothing() throws {
    let archive = try archive(
      "Package: a\nDepends: b | c\n\nPackage: b\nStatus: deinstall ok config-files\n\nPackage: c\n")
    #expect(names(archive.packages[0].needs) == ["c"])
  }

  @Test func sectionsAndMaintainersAreShared() throws {
    let archive = try archive(
      "Package: a\nSection: x\nMaintainer: m\n\nPackage: b\nSection: x\nMaintainer: m\n")
    archive.packages[0].section?.name = "y"
    archive.packages[0].maintainer?.name = "n"
    #expect(archive.packages[1].section?.name == "y")
    #expect(archive.packages[1].maintainer?.name == "n")
  }

  @Test func aLaterStanzaReplacesTheSamePackage() throws {
    let archive = try archive("Package: a\nDepends: b\n\nPackage: b\n\nPackage: a\nSection: x\n")
    #expect(archive.packages.map(\.name) == ["a", "b"])
    #expect(archive.packages[0].needs.isEmpty)
    #expect(archive.packages[0].section?.name == "x")
  }

  @Test func thePackagesOfTheDefaultQueriesAreFromTheFile() throws {
    let archive = try archive(
      "Package: a\nDepends: c\n\nPackage: b\nDepends: a, c\n\nPackage: c\nVersion: 1\n")
    let questions = try Questions(.init(), of: archive)
    #expect(questions.needs == "b")
    #expect(questions.neededBy == "c=1")
  }

  @Test func packagesOfQueriesAreFoundByNameOrByPrimary() throws {
    let archive = try archive("Package: a\nVersion: 1\n\nPackage: a\nVersion: 2\n")
    let questions = try Questions(.init(needs: "a", neededBy: "a=2"), of: archive)
    #expect(questions.needs == "a=1")
    #expect(questions.neededBy == "a=2")
    let error = #expect(throws: Questions.Unknown.self) {
      try Questions(.init(needs: "b"), of: archive)
    }
    #expect(error?.description == "the file has no package b")
  }

  @Test func packagesThatNeedEachOtherAreReleased() throws {
    let archive = try archive("Package: a\nDepends: b\n\nPackage: b\nDepends: a\n")
    #expect(names(archive.packages[1].needs) == ["a"])
    archive.unlink()
    #expect(archive.packages.allSatisfy { $0.needs.isEmpty })
  }

  private func archive(_ text: String) throws -> PackageArchive {
    var archive = PackageArchive()
    for result in StanzaReader([UInt8](text.utf8)) { _ = try archive.add(result.get()) }
    archive.link()
    return archive
  }

  private func names(_ packages: MagicalSet<DebianPackage>) -> [String] {
    packages.map(\.name).sorted()
  }
}
