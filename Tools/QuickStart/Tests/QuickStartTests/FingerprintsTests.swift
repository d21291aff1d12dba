import Testing

@testable import QuickStart

@Suite struct FingerprintsTests {
  @Test func missingNewAndChangedTextsAreFound() throws {
    let some = try fingerprints(["a": "1", "b": "2", "c": "3", "e": ""])
    let others = try fingerprints(["a": "1", "b": "4", "d": "3"])
    #expect(some.differences(from: others).sorted() == ["b", "c", "d"])
    #expect(some.differences(from: some).isEmpty)
    #expect(some.count == 3)
  }

  @Test func everyByteChangesTheFingerprint() throws {
    let composed = try fingerprints(["a": "caf\u{E9}"])
    let decomposed = try fingerprints(["a": "cafe\u{301}"])
    #expect(composed.differences(from: decomposed) == ["a"])
  }

  @Test func fingerprintsOfRemovedPackagesAreOmitted() throws {
    let rest = try fingerprints(["a": "1", "b": "2"]).without(["b", "c"])
    #expect(rest == (try fingerprints(["a": "1"])))
  }

  private func fingerprints(_ texts: [String: String]) throws -> Fingerprints {
    try Fingerprints(
      texts.map { id, text in
        let package = DebianPackage()
        package.id = id
        package.summary = text
        return package
      })
  }
}
