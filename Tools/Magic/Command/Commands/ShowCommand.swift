import ArgumentParser
import MagicInspection

/// `magic show`: one object with what it refers to.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show an object and what it refers to, as a tree.",
    discussion: """
      The object is named by a value of a unique property, by its row ID as #12, by its name or \
      title, or in a file by words of its texts, if the type has a search index and no other object \
      has them. With --depth 2, the objects that it refers to are shown too, and so on.
      """)

  /// The largest number of row IDs in a message.
  private static let listLimit = 10
  /// The largest part of a value that is read, in bytes.
  private static let valueLimit = 4_096

  @OptionGroup var database: DatabaseArgument
  @Argument(help: "The name of the type in Swift, or of its table.") var type: String
  @Argument(help: "The value that identifies the object, or # and its row ID.") var object: String
  @Option(help: "The number of levels of objects.") var depth = 1
  @Option(help: "The maximum number of members of a collection.") var members = 10
  @OptionGroup var format: JSONOption

  func validate() throws {
    guard (1...20).contains(depth) else { throw ValidationError("The depth is from 1 to 20.") }
    guard (0...10_000).contains(members) else {
      throw ValidationError("The number of members is from 0 to 10000.")
    }
  }

  func run() async throws {
    guard !database.isOnServer else {
      return write(try await database.inspecting { try node($0, $1) })
    }
    write(try database.file.inspecting { try node($0, $1) })
  }

  /// Returns the tree of the only object that is found.
  private func node(
    _ reader: any DatabaseReading, _ database: InspectedDatabase
  ) throws -> ObjectTree.Node {
    reader.valueLimit = Self.valueLimit
    let type = try database.type(named: type)
    // One more shows whether there are others.
    let rowIDs = try reader.rowIDs(matching: object, in: type, limit: Self.listLimit + 1)
    guard let rowID = rowIDs.first else {
      throw CommandError(
        ExitStatus.notFound,
        "There is no object of this type with this key or name, or with these words.")
    }
    guard rowIDs.count == 1 else {
      let list = rowIDs.prefix(Self.listLimit).map { "#\($0)" }.joined(separator: ", ")
      let rest = rowIDs.count > Self.listLimit ? ", and others" : ""
      throw CommandError(
        ExitStatus.notFound,
        "Several objects have this name or these words. Use a row ID, one of: \(list)\(rest).")
    }
    return try ObjectTree(reader: reader, database: database, memberLimit: members)
      .node(rowID, of: type, depth: depth)
  }

  private func write(_ root: ObjectTree.Node) {
    format.json ? format.write(root.json) : root.write(to: .current)
  }
}
