import Foundation
import Testing

/// Every Swift example of the documents stands word for word in a file that is compiled and run.
@Suite struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let documents = [
    "README.md", "Modules/MagicData/MagicData.docc/MagicData.md",
    "Modules/MagicData/MagicData.docc/Migrations.md",
    "Modules/MagicData/MagicData.docc/ObjectsAndValues.md",
    "Modules/MagicData/MagicData.docc/Observation.md",
    "Modules/MagicDataTesting/MagicDataTesting.docc/MagicDataTesting.md",
  ]

  @Test(arguments: documents) func everyExampleIsCompiledAndRun(_ document: String) throws {
    let examples = try swiftBlocks(in: text(document))
    #expect(!examples.isEmpty)
    try expectCompiled(examples)
  }

  @Test func everyExampleInACommentIsCompiledAndRun() throws {
    let modules = Self.root.appendingPathComponent("Modules").path
    let files = try FileManager.default.subpathsOfDirectory(atPath: modules)
      .filter { $0.hasSuffix(".swift") }
    let examples = try files.flatMap { file in
      swiftBlocks(in: comments(of: try text("Modules/\(file)")))
    }
    #expect(examples.count >= 10)
    try expectCompiled(examples)
  }

  private func expectCompiled(_ examples: [[String]]) throws {
    let compiled = try [
      "DocumentedTypes", "DocumentedExamples", "DocumentedObservation", "DocumentedModules",
    ].map {
      lines(of: try text("Tests/DocumentationTests/\($0).swift"))
    }
    for example in examples {
      // Each part between blank lines is looked for on its own: tests stand between them.
      for part in example.split(separator: "", omittingEmptySubsequences: true) {
        let part = Array(part)
        // What belongs in a manifest is no example to run.
        if part.allSatisfy({ $0.hasPrefix(".package(") || $0.hasPrefix(".product(") }) { continue }
        #expect(
          compiled.contains { contains($0, part) },
          "not compiled: \(part.joined(separator: "\n"))")
      }
    }
  }

  @Test func everyLinkOfTheReadmeLeadsToAFile() throws {
    let readme = try text("README.md")
    for match in readme.matches(of: /\]\(([^)]+)\)/) where !match.1.hasPrefix("http") {
      let target = Self.root.appendingPathComponent(String(match.1)).path
      #expect(FileManager.default.fileExists(atPath: target), "\(match.1)")
    }
  }

  /// A suite that was renamed is renamed there too.
  @Test func theSuitesThatProveReliabilityExist() throws {
    let tests = try FileManager.default.subpathsOfDirectory(
      atPath: Self.root.appendingPathComponent("Tests").path)
    let names = Set(
      tests.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent })
    let named = try text("Tests/RELIABILITY.md").matches(of: /\b([A-Z][A-Za-z]+Tests)\b/)
    #expect(named.count > 50)
    for match in named { #expect(names.contains(String(match.1)), "\(match.1)") }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The documentation comments of a source, without their slashes.
  private func comments(of source: String) -> String {
    lines(of: source).filter { $0.hasPrefix("///") }.map { String($0.dropFirst(3)) }
      .joined(separator: "\n")
  }

  private func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private func swiftBlocks(in markdown: String) -> [[String]] {
    var blocks: [[String]] = []
    var current: [String]?
    for line in lines(of: markdown) {
      switch (line, current) {
      case ("```swift", nil): current = []
      case ("```", let block?):
        blocks.append(block)
        current = nil
      default: current?.append(line)
      }
    }
    return blocks
  }

  private func contains(_ lines: [String], _ part: [String]) -> Bool {
    guard lines.count >= part.count else { return false }
    return (0...lines.count - part.count).contains { Array(lines[$0..<$0 + part.count]) == part }
  }
}
