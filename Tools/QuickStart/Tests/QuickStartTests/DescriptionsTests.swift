import DebianPackages
import Foundation
import MagicData
import Testing

@testable import QuickStart

@Suite struct DescriptionsTests {
  private let text = """
    Package: a
    Section: x
    Description: one
     Two. Three.

    Package: b
    Section: x
    Description: four

    Package: c
    Section: y
    Description: five
     .
     Six.
    """

  @Test func longDescriptionsAreStoredUnchangedInFiles() async throws {
    try await withImport { place, _ in
      let file = try await place.open { magic in
        let package = try await magic.object(of: DebianPackage.self, primary: "a")
        return try #require(package.details.path)
      }
      #expect(file.pathExtension == "txt")
      #expect(file.path.hasPrefix(place.path + "-assets/"))
      #expect(try String(contentsOf: file, encoding: .utf8) == "one\nTwo. Three.")
    }
  }

  @Test func filesAreCountedAndMeasured() async throws {
    try await withImport { place, _ in
      let descriptions = try await place.open { try await Findings(in: $0).descriptions }
      #expect(descriptions.count == 2)
      #expect(descriptions.size == "one\nTwo. Three.".utf8.count + "five\n\nSix.".utf8.count)
      #expect(descriptions.read.map(\.name) == ["a", "c"])
      #expect(descriptions.read.map(\.sentence) == ["Two.", "Six."])
    }
  }

  @Test func onlyRequestedFilesAreRead() async throws {
    try await withImport { place, _ in
      try await place.open { magic in
        let packages = try await magic.object(of: DebianPackage.self)
        let few = packages.filter { $0.name != "a" }
        let descriptions = try Descriptions(of: packages, reading: few)
        #expect(descriptions.count == 2)
        #expect(descriptions.read.map(\.name) == ["c"])
      }
    }
  }

  @Test(arguments: [
    ("a\nOne. Two.", "One."), ("a\nIt is\ne.g. this. Or that.", "It is e.g. this."),
    ("a\n\n  no end\n\nNext.", "no end"), ("a\nWith 1.2. Then", "With 1.2."), ("a", ""), ("", ""),
    ("a\n\n", ""),
  ])
  func theFirstSentenceIsBelowTheTitle(_ description: String, _ sentence: String) {
    #expect(Descriptions.firstSentence(of: description) == sentence)
  }

  @Test func removingAPackageRemovesItsFile() async throws {
    try await withImport { place, saved in
      let changes = try await change(place)
      #expect(changes.removed == ["c"])
      #expect(changes.files == (before: 2, after: 1))
      #expect(changes.removedFiles.count == 1)
      let left = try await place.open { try await Verification(of: changes, to: saved, in: $0) }
      #expect(left.descriptions == 2)
      #expect(left.files == 1)
      for file in changes.removedFiles {
        try Data().write(to: file)
        await #expect(throws: Verification.Mismatch.self) {
          try await place.open { try await Verification(of: changes, to: saved, in: $0) }
        }
      }
    }
  }

  @Test(arguments: ["one\nTwo. Four.", "one"])
  func aChangedDescriptionIsDetected(_ other: String) async throws {
    try await withImport { place, saved in
      let changes = try await change(place)
      try await place.open { magic in
        let package = try await magic.object(of: DebianPackage.self, primary: "a")
        package.details = .init(value: other)
        try await magic.update(package)
      }
      await #expect(throws: Verification.Mismatch.self) {
        try await place.open { try await Verification(of: changes, to: saved, in: $0) }
      }
    }
  }

  @Test func theErrorNamesAMissingDescriptionFile() async throws {
    try await withImport { place, saved in
      let changes = try await change(place)
      let path = try await place.open {
        try await $0.object(of: DebianPackage.self, primary: "a").details.path
      }
      try FileManager.default.removeItem(at: #require(path))
      let error = await #expect(throws: DatabasePlace.Failure.self) {
        try await place.open { try await Verification(of: changes, to: saved, in: $0) }
      }
      #expect(error?.error.code == .assetMissing)
    }
  }

  @Test func anotherImportRemovesTheFilesOfTheFirst() async throws {
    try await withImport { place, _ in
      let paths = try await place.open {
        try await $0.object(of: DebianPackage.self).compactMap(\.details.path)
      }
      #expect(Changes.files(at: paths).count == 2)
      _ = try await save(in: place)
      #expect(Changes.files(at: paths).isEmpty)
    }
  }

  @Test func theTemporaryDatabaseIsRemovedWithItsFiles() async throws {
    try await withImport { place, _ in
      let directory = URL(fileURLWithPath: place.path).deletingLastPathComponent().path
      #expect(FileManager.default.fileExists(atPath: place.path + "-assets"))
      place.clean()
      #expect(!FileManager.default.fileExists(atPath: directory))
    }
  }

  @Test(.timeLimit(.minutes(5))) func aRunningJobDoesNotPreventTheRemovalOfTheTemporaryDatabase()
    async throws
  {
    let place = try DatabasePlace(path: nil)
    let directory = URL(fileURLWithPath: place.path).deletingLastPathComponent()
    let (files, continuation) = AsyncStream<Int>.makeStream()
    let job = Thread {
      for number in 0... {
        let file = directory.appendingPathComponent("\(number)")
        guard (try? Data().write(to: file)) != nil else { break }
        continuation.yield(number)
      }
      continuation.finish()
    }
    job.start()
    for await number in files where number == 100 { place.clean() }
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }

  private func change(_ place: DatabasePlace) async throws -> Changes {
    try await place.open { magic in
      try await Changes(Survey(magic.object(of: DebianPackage.self)), in: magic)
    }
  }

  private func save(in place: DatabasePlace) async throws -> PackageImport {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await place.open {
      try await PackageImport(PackageFile(path: file.path), into: $0)
    }
  }

  private func withImport(
    _ body: (DatabasePlace, PackageImport) async throws -> Void
  ) async throws {
    let place = try DatabasePlace(path: nil)
    defer { place.clean() }
    try await body(place, save(in: place))
  }
}
