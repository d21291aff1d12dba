import DebianPackages
import Foundation
import MagicData
import Testing

@testable import QuickStart

@Suite struct WholeRunTests {
  @Test func theSampleIsSavedQueriedChangedAndVerified() async throws {
    let sample = try PackageFile(path: QuickStart.defaultFile("/no/such/file"))
    try await withPlace { place in
      let saved = try await place.open { try await PackageImport(sample, into: $0) }
      #expect(saved.saved == 52)
      #expect(saved.malformed == 0)

      let findings = try await place.open { try await Findings(in: $0) }
      #expect(findings.survey.count == 52)
      #expect(findings.byPrimary?.name == findings.survey.biggest.first?.name)
      #expect(findings.essential?.isEssential == true)

      let answers = try await place.open { try await Answers(saved.questions, in: $0) }
      #expect(answers.needs?.package.name == "coreutils")
      #expect(answers.needs?.others.count == 8)
      #expect(answers.neededBy?.name == "libc6")
      #expect(answers.neededBy?.count == 41)
      #expect(answers.maintainers.busiest.first?.packages == 3)
      #expect(!answers.about.hits.isEmpty)

      let changes = try await place.open { try await Changes(findings.survey, in: $0) }
      #expect(changes.pinned.count == 5)
      #expect(!changes.removed.isEmpty)
      #expect(changes.files.before == findings.descriptions.count)
      let left = try await place.open { try await Verification(of: changes, to: saved, in: $0) }
      #expect(left.count == 52 - changes.removed.count)
      #expect(left.descriptions == left.count)
      #expect(left.files == changes.files.after)
    }
  }

  @Test func missingPackagesAreDetected() async throws {
    try await withPlace { place in
      let saved = try await save("Package: a\nSection: x\n\nPackage: b\nSection: y\n", in: place)
      let changes = try await place.open { magic in
        let survey = Survey(try await magic.object(of: DebianPackage.self))
        let changes = try await Changes(survey, in: magic)
        try await magic.removeAll(of: DebianPackage.self)
        return changes
      }
      await #expect(throws: Verification.Mismatch.self) {
        try await place.open { try await Verification(of: changes, to: saved, in: $0) }
      }
    }
  }

  @Test func aMissingRelationshipIsDetected() async throws {
    try await withPlace { place in
      let text = "Package: a\nDepends: b\n\nPackage: b\n\nPackage: c\nSection: x\n"
      let saved = try await save(text, in: place)
      let changes = try await place.open { magic in
        let survey = Survey(try await magic.object(of: DebianPackage.self))
        let changes = try await Changes(survey, in: magic)
        let package = try await magic.object(of: DebianPackage.self, primary: "a")
        package.needs = []
        try await magic.update(package)
        return changes
      }
      #expect(changes.removed == ["c"])
      await #expect(throws: Verification.Mismatch.self) {
        try await place.open { try await Verification(of: changes, to: saved, in: $0) }
      }
    }
  }

  @Test func malformedStanzasAreCountedAndTheRestIsSaved() async throws {
    try await withPlace { place in
      let text = "Package: a\n\n stray\n\nVersion: 1\n\nPackage: b\n"
      let saved = try await save(text, in: place)
      #expect(saved.saved == 2)
      #expect(saved.malformed == 2)
      #expect(try await names(in: place) == ["a", "b"])
    }
  }

  @Test func theLaterStanzaOfARepeatedPackageIsUsed() async throws {
    try await withPlace { place in
      let saved = try await save("Package: a\nSection: x\n\nPackage: a\nSection: y\n", in: place)
      #expect(saved.saved == 1)
      #expect(saved.repeated == 1)
      let package = try await place.open {
        try await $0.object(of: DebianPackage.self, primary: "a")
      }
      #expect(package.section?.name == "y")
    }
  }

  @Test func aSecondImportReplacesTheFirst() async throws {
    try await withPlace { place in
      _ = try await save("Package: a\n\nPackage: b\n", in: place)
      let saved = try await save("Package: c\n", in: place)
      #expect(saved.replaced == 2)
      #expect(try await names(in: place) == ["c"])
    }
  }

  @Test func everyPackageOfAnEarlierImportIsRemoved() async throws {
    try await withPlace { place in
      let text = "Package: a\nSection: x\nMaintainer: m\nDepends: b\nRecommends: c"
      _ = try await save(text + "\n\nPackage: b\nDepends: a\n\nPackage: c\n", in: place)
      #expect(try await place.open { try await Links(in: $0) }.count == 5)
      let saved = try await save("Package: d\nDepends: a\n", in: place)
      #expect(saved.unmet == 1)
      let left = try await place.open { magic in
        try await [
          magic.object(of: Section.self).count, magic.object(of: Maintainer.self).count,
          magic.object(of: Recommendation.self).count, Links(in: magic).count,
        ]
      }
      #expect(left == [0, 0, 0, 0])
    }
  }

  @Test func aFileWithoutPackagesDoesNotChangeTheDatabase() async throws {
    try await withPlace { place in
      _ = try await save("Package: a\n", in: place)
      await #expect(throws: PackageFile.Unreadable.self) { try await save("junk\n", in: place) }
      #expect(try await names(in: place) == ["a"])
    }
  }

  @Test func anEmptyFileIsAnEmptyDatabase() async throws {
    try await withPlace { place in
      let saved = try await save("", in: place)
      #expect(saved.saved == 0)
      let findings = try await place.open { try await Findings(in: $0) }
      #expect(findings.survey.count == 0)
      #expect(findings.descriptions.read.isEmpty)
      let changes = try await place.open { try await Changes(findings.survey, in: $0) }
      let left = try await place.open { try await Verification(of: changes, to: saved, in: $0) }
      #expect(left.count == 0)
    }
  }

  @Test func theErrorNamesAFileThatIsNotADatabase() async throws {
    let path = try QuickStart.defaultFile("/no/such/file")
    let error = await #expect(throws: DatabasePlace.Failure.self) {
      try await names(in: DatabasePlace(path: path))
    }
    #expect(error?.error.code == .notADatabase)
    #expect(error?.description.contains(path) == true)
  }

  private func save(_ text: String, in place: DatabasePlace) async throws -> PackageImport {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(text.utf8).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let file = try PackageFile(path: path.path)
    return try await place.open { try await PackageImport(file, into: $0) }
  }

  private func names(in place: DatabasePlace) async throws -> [String] {
    try await place.open { try await $0.object(of: DebianPackage.self).map(\.name) }
  }

  private func withPlace(_ body: (DatabasePlace) async throws -> Void) async throws {
    let place = try DatabasePlace(path: nil)
    defer { place.clean() }
    try await body(place)
  }
}
