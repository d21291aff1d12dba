import MagicData

/// The number and size of descriptions in files, and the texts of a few of them.
struct Descriptions {
  /// The number of descriptions in files.
  let count: Int
  /// The total size in bytes.
  let size: Int
  /// The first sentence of each description that was read.
  let read: [(name: String, sentence: String)]
  /// The duration of reading them.
  let seconds: Double

  /// Counts the descriptions of some packages, and reads those of others.
  init(of packages: [DebianPackage], reading few: [DebianPackage]) throws {
    let inFiles = packages.filter(\.details.hasValue)
    count = inFiles.count
    // The row contains the size of the file, so this reads no file.
    size = try inFiles.map { try $0.details.size }.reduce(0, +)

    let stopwatch = Stopwatch()
    read = try few.compactMap { package in
      try package.details.load().map { (package.name, Self.firstSentence(of: $0)) }
    }
    seconds = stopwatch.seconds
  }

  /// The first sentence after the first line, which is a title.
  static func firstSentence(of description: String) -> String {
    let lines = description.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    let paragraph = lines.drop(while: \.isEmpty).prefix { !$0.isEmpty }
    let words = paragraph.joined(separator: " ").split(separator: " ")
    let end = zip(words.indices, zip(words, words.dropFirst())).first {
      $1.0.hasSuffix(".") && $1.1.first?.isUppercase == true
    }
    return words[...(end?.0 ?? words.endIndex - 1)].joined(separator: " ")
  }
}
