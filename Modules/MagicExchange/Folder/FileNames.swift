/// Creates the names of files for tables and collections. A name has only letters, digits and `-._`, and
/// differs from the others also where the file system ignores the case of letters.
struct FileNames {
  /// With its period.
  let pathExtension: String
  private var used: Set<String> = []

  init(pathExtension: String = ".jsonl") { self.pathExtension = pathExtension }

  mutating func name(for text: String) -> String {
    var base = String(text.prefix(80).map { Self.isPlain($0) ? $0 : "_" })
    if base.first == "." { base = "_" + base }
    var name = base + pathExtension
    var number = 2
    while !used.insert(name.lowercased()).inserted {
      name = "\(base)-\(number)\(pathExtension)"
      number += 1
    }
    return name
  }

  /// Whether a name is one that this creates, so that it is not the path of another folder.
  static func isValid(_ name: String) -> Bool {
    name.hasSuffix(".jsonl") && name.first != "." && name.count <= 128 && name.allSatisfy(isPlain)
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
  }
}
