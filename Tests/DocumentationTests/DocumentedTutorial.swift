import Foundation
import MagicData
import MagicDataTesting
import MagicTestSupport
import Testing

// The final program of the tutorial.

struct Author: MagicObject {
  @PrimaryMagicValue var name: String
  @ReverseMagicValue(\Novel.$author) var novels: AsyncReverseMagicSet<Novel>

  init() {}

  init(name: String) {
    self.name = name
  }
}

struct Novel: MagicObject {
  @MagicValue(.indexed) var title: String
  @MagicValue var author: Author
  @MagicValue(.wasNamed("pages")) var pageCount: Int = 0
  @MagicValue var progress: Int = 0  // in percent

  static var migrations: Migrations {
    Migrations {
      MigrationStep {
        [
          .transformRows { old, new in
            let isRead = try old.value("isRead", as: Bool.self) ?? false
            try new.set("progress", to: isRead ? 100 : 0)
          }
        ]
      }
      MigrationStep { [.deleteValue(name: "isRead")] }
    }
  }

  init() {}
}

/// The program's first version.
enum FirstEdition {
  struct Author: MagicObject {
    @PrimaryMagicValue var name: String
    @ReverseMagicValue(\Novel.$author) var novels: AsyncReverseMagicSet<Novel>

    init() {}

    init(name: String) {
      self.name = name
    }
  }

  struct Novel: MagicObject {
    @MagicValue(.indexed) var title: String
    @MagicValue var author: Author
    @MagicValue var pages: Int = 0
    @MagicValue var isRead: Bool = false

    init() {}
  }
}

struct ReadingList {
  let magic: MagicData

  func add(_ title: String, by name: String, pageCount: Int) async throws {
    try await magic.transaction { transaction in
      let known = try transaction.query(Author.self).where(\.$name == name).first()
      let novel = Novel()
      novel.title = title
      novel.author = known ?? Author(name: name)
      novel.pageCount = pageCount
      try transaction.update(novel)
    }
  }

  func unread() async throws -> [Novel] {
    try await magic.query(Novel.self)
      .where(\.$progress < 100)
      .order(by: \.$author.$name)
      .order(by: \.$title)
      .all()
  }

  func finish(_ title: String) async throws -> Int {
    try await magic.query(Novel.self).where(\.$title == title).update(set: \.$progress, to: 100)
  }

  func titles(by name: String) async throws -> [String] {
    let author = try await magic.object(of: Author.self, primary: name)
    var titles: [String] = []
    for try await novel in author.novels { titles.append(novel.title) }
    return titles
  }

  func run(_ arguments: [String]) async throws -> [String] {
    switch arguments.first {
    case "add" where arguments.count == 4:
      try await add(arguments[1], by: arguments[2], pageCount: Int(arguments[3]) ?? 0)
      return ["Added \(arguments[1])."]
    case "finish" where arguments.count == 2:
      return ["Finished \(try await finish(arguments[1])) of the novels."]
    case "by" where arguments.count == 2:
      return try await titles(by: arguments[1])
    default:
      return try await unread().map { "\($0.author.name): \($0.title), \($0.pageCount) pages" }
    }
  }
}

@Suite struct DocumentedTutorial {
  private let directory: TemporaryDirectory
  private let fixtures: URL

  init() async throws {
    directory = try TemporaryDirectory()
    fixtures = directory.url
    _ = try await firstProgram(fixtures.appendingPathComponent("1.sqlite3").path)
  }

  private var name: String {
    let path = "reading.sqlite3"

    return path
  }

  /// The first main file.
  private func firstProgram(_ path: String) async throws -> [String] {
    typealias Novel = FirstEdition.Novel
    typealias Author = FirstEdition.Author

    let magic = try await MagicData(path: path)
    let emma = Novel()
    emma.title = "Emma"
    emma.author = Author(name: "Jane Austen")
    emma.pages = 474
    emma.isRead = true
    try await magic.update(emma)

    let novels = try await magic.object(of: Novel.self)
    print(novels.map { "\($0.title) by \($0.author.name)" })  // ["Emma by Jane Austen"]
    await magic.close()

    return novels.map { "\($0.title) by \($0.author.name)" }
  }

  private var processArguments: [String] {
    let arguments = Array(CommandLine.arguments.dropFirst())

    return arguments
  }

  /// The last main file, with the arguments of a test instead of those of the process.
  private func program(_ arguments: String...) async throws -> [String] {
    let path = directory.file(name).path

    let magic = try await MagicData(path: path)
    let list = ReadingList(magic: magic)
    let lines = try await list.run(arguments)
    lines.forEach { print($0) }
    await magic.close()

    return lines
  }

  /// The last main file, which prints errors.
  private func printingProgram(_ path: String, _ arguments: String...) async {
    do {
      let magic = try await MagicData(path: path)
      let list = ReadingList(magic: magic)
      let lines = try await list.run(arguments)
      lines.forEach { print($0) }
      await magic.close()
    } catch {
      print("reading: \(error)")
    }
  }

  @Test func theProgramPrintsErrors() async throws {
    let path = directory.file("printed.sqlite3").path
    await printingProgram(path, "add", "Persuasion", "Jane Austen", "236")
    // The author does not exist, and then the directory is a file.
    await printingProgram(path, "by", "Mary Shelley")
    await printingProgram(directory.url.path + "/printed.sqlite3/x", "by")
    let magic = try await MagicData(path: path)
    #expect(try await magic.object(of: Novel.self).map(\.title) == ["Persuasion"])
    await magic.close()
  }

  @Test func theProgramKeepsAList() async throws {
    #expect(try await firstProgram(directory.file(name).path) == ["Emma by Jane Austen"])
    #expect(try await program("add", "Persuasion", "Jane Austen", "236") == ["Added Persuasion."])
    #expect(try await program() == ["Jane Austen: Persuasion, 236 pages"])
    #expect(try await program("by", "Jane Austen") == ["Emma", "Persuasion"])
    #expect(try await program("finish", "Persuasion") == ["Finished 1 of the novels."])
    #expect(try await program().isEmpty)
    #expect(!processArguments.contains("add"))
  }

  @Test func aNovelIsAdded() async throws {
    let list = ReadingList(magic: try await MagicData(type: .memory))
    try await list.add("Emma", by: "Jane Austen", pageCount: 474)
    try await list.add("Persuasion", by: "Jane Austen", pageCount: 236)

    #expect(try await list.unread().map(\.title) == ["Emma", "Persuasion"])
    #expect(try await list.magic.object(of: Author.self).count == 1)
  }

  @Test func theFirstVersionIsMigrated() async throws {
    let fixture = try MagicMigrationFixture(copying: fixtures.appendingPathComponent("1.sqlite3"))
    try await fixture.migrate(Novel.self)
    let magic = try await fixture.open()
    let emma = try await magic.object(of: Novel.self).where { $0.title == "Emma" }

    #expect(emma.pageCount == 474)
    #expect(emma.progress == 100)
    #expect(emma.author.name == "Jane Austen")
    await magic.close()
  }
}
