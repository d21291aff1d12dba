import Foundation
import FuzzTargets
import Testing

/// The corpora of the fuzzers: inputs that together reach all code that was ever reached, and
/// inputs that have found a flaw.
@Suite struct CorpusTests {
  private struct Target: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable ([UInt8]) throws -> Void

    var testDescription: String { name }
  }

  private static let targets = [
    Target(name: "FuzzDatabase") { try HostileFile.run($0) },
    Target(name: "FuzzValues") { try HostileValues.run($0) },
    Target(name: "FuzzCalls") { try CallSequence.run($0) },
    Target(name: "FuzzTexts") { try HostileTexts.run($0) },
    Target(name: "FuzzStreams") { try HostileStreams.run($0) },
    Target(name: "FuzzSearches") { try SearchSequence.run($0) },
    Target(name: "FuzzImports") { try HostileImports.run($0) },
  ]

  @Test(arguments: targets) private func everyStoredInputHasNoFindings(_ target: Target) throws {
    let folder = try #require(Bundle.module.resourceURL)
      .appendingPathComponent("Corpus/\(target.name)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(!names.isEmpty)
    for name in names {
      let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
      #expect(throws: Never.self, "\(name)") { try target.run(bytes) }
    }
  }
}
