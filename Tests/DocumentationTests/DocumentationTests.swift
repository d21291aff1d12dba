import Foundation
import Testing

/// The documents are README, the articles of the catalogues, and READMEs of tools.
///
/// Every Swift example of a document is word for word in a file `Documented….swift` of this
/// directory, which is compiled and run. Two kinds of examples are omitted: lines of a manifest
/// (`.package(…)`, `.product(…)`), and a block after a line
///
///     <!-- not compiled: the reason -->
///
/// for code of other libraries and of systems that the tests do not run on.
@Suite struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let catalogue = "Modules/MagicData/MagicData.docc"

  /// All documents on the disk: no list of them is necessary.
  private static let documents: [String] = {
    let modules = files(in: "Modules").filter { $0.hasSuffix(".md") }
    let tools = files(in: "Tools").filter { $0.hasSuffix("README.md") }
    return ["README.md"] + (modules + tools).sorted()
  }()

  private static var articles: [String] { documents.filter { $0.hasPrefix(catalogue) } }

  private static func files(in directory: String) -> [String] {
    let paths = try? FileManager.default.subpathsOfDirectory(
      atPath: root.appendingPathComponent(directory).path)
    // Git ignores the folders of builds, whose names begin with a period.
    return (paths ?? []).filter { path in
      !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }.map { "\(directory)/\($0)" }
  }

  // MARK: Examples

  @Test func thereAreDocuments() {
    #expect(Self.documents.count > 25)
    #expect(Self.articles.count > 20)
  }

  @Test(arguments: documents) func everyExampleIsCompiledAndRun(_ document: String) throws {
    try expectCompiled(swiftBlocks(in: text(document)))
  }

  /// The two documents that new users read first begin with an example.
  @Test(arguments: ["README.md", "\(catalogue)/MagicData.md"])
  func theFirstPagesHaveExamples(_ document: String) throws {
    #expect(try swiftBlocks(in: text(document)).count > 1)
  }

  @Test func everyExampleInACommentIsCompiledAndRun() throws {
    let files = Self.files(in: "Modules").filter { $0.hasSuffix(".swift") }
    let examples = try files.flatMap { swiftBlocks(in: comments(of: try text($0))) }
    #expect(examples.count >= 10)
    try expectCompiled(examples)
  }

  /// The marker skips one block, and one that follows no marker is not skipped.
  @Test func theMarkerSkipsOneBlock() {
    let document = """
      <!-- not compiled: another library -->
      ```swift
      let other = 1
      ```
      ```swift
      let ours = 1
      ```
      """
    #expect(swiftBlocks(in: document) == [["let ours = 1"]])
  }

  private func expectCompiled(_ examples: [[String]]) throws {
    let directory = "Tests/DocumentationTests"
    let compiled = try Self.files(in: directory)
      .filter { $0.hasPrefix("\(directory)/Documented") && $0.hasSuffix(".swift") }
      .map { lines(of: try text($0)) }
    #expect(!compiled.isEmpty)
    for example in examples {
      // Each part between blank lines is searched for separately, because tests are between them.
      for part in example.split(separator: "", omittingEmptySubsequences: true) {
        let part = Array(part)
        // Lines of a manifest are not examples to run.
        if part.allSatisfy({ $0.hasPrefix(".package(") || $0.hasPrefix(".product(") }) { continue }
        // Neither are imports of modules: each file of examples has its own.
        if part.allSatisfy({ $0.hasPrefix("import ") }) { continue }
        #expect(
          compiled.contains { contains($0, part) },
          "not compiled: \(part.joined(separator: "\n"))")
      }
    }
  }

  // MARK: Links

  @Test(arguments: documents) func everyLinkResolves(_ document: String) throws {
    let text = try prose(of: document)
    let directory = Self.root.appendingPathComponent(document).deletingLastPathComponent()
    for match in text.matches(of: /\]\(([^)#]+)(#[^)]*)?\)/) {
      let target = String(match.1)
      if target.hasPrefix("http") || target.hasPrefix("doc:") { continue }
      let file = directory.appendingPathComponent(target).path
      #expect(FileManager.default.fileExists(atPath: file), "\(target)")
    }
    for match in text.matches(of: /\b(?:<|\()?doc:([A-Za-z0-9\-\/]+)/) {
      let article = directory.appendingPathComponent("\(match.1).md").path
      #expect(FileManager.default.fileExists(atPath: article), "doc:\(match.1)")
    }
  }

  /// An article that no page names cannot be found.
  @Test func everyArticleIsOnTheLandingPage() throws {
    let landing = try text("\(Self.catalogue)/MagicData.md")
    for article in Self.articles {
      // Extensions of symbols are found under their symbols.
      if try text(article).hasPrefix("# ``") { continue }
      let name = URL(fileURLWithPath: article).deletingPathExtension().lastPathComponent
      #expect(landing.contains("<doc:\(name)>"), "\(name)")
    }
  }

  /// An abstract of one sentence, and links to related articles.
  @Test func everyArticleHasTheSameForm() throws {
    for article in Self.articles {
      let lines = lines(of: try text(article))
      guard let title = lines.first, !title.hasPrefix("# ``") else { continue }
      #expect(title.hasPrefix("# "), "\(article)")
      let abstract = lines.dropFirst(2).prefix { !$0.isEmpty }.joined(separator: " ")
      #expect(abstract.hasSuffix("."), "\(article)")
      #expect(!abstract.dropLast().contains(". "), "\(article): one sentence")
      #expect(lines.contains("## Overview"), "\(article)")
      #expect(lines.contains("## See Also"), "\(article)")
    }
  }

  // MARK: Content

  @Test func theReadmeIsShort() throws {
    #expect(try lines(of: text("README.md")).count <= 305)
  }

  @Test func everyErrorCodeIsDescribed() throws {
    let errors = try text("\(Self.catalogue)/Errors.md")
    let source = try text("Modules/MagicBase/Errors/MagicError.swift")
    let codes = source.matches(of: /static let (\w+) = Code\(/)
    #expect(codes.count > 40)
    for code in codes { #expect(errors.contains("| `\(code.1)` |"), "\(code.1)") }
  }

  /// A suite that is renamed must be renamed there too.
  @Test func theSuitesThatProveReliabilityExist() throws {
    let tests = Self.files(in: "Tests")
    let names = Set(
      tests.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent })
    let named = try text("Tests/RELIABILITY.md").matches(of: /\b([A-Z][A-Za-z]+Tests)\b/)
    #expect(named.count > 50)
    for match in named { #expect(names.contains(String(match.1)), "\(match.1)") }
  }

  // MARK: Reading

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// A document without its code.
  private func prose(of document: String) throws -> String {
    var isCode = false
    return lines(of: try text(document)).filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode
    }
    .joined(separator: "\n").replacing(/`[^`\n]*`/, with: "")
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

  /// The Swift examples of a document that are to be compiled.
  private func swiftBlocks(in markdown: String) -> [[String]] {
    var blocks: [[String]] = []
    var current: [String]?
    var isSkipped = false
    for line in lines(of: markdown) {
      switch (line, current) {
      case ("```swift", nil): current = []
      case ("```", let block?):
        if !isSkipped { blocks.append(block) }
        (current, isSkipped) = (nil, false)
      case (_, nil): isSkipped = line.hasPrefix("<!-- not compiled: ")
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
