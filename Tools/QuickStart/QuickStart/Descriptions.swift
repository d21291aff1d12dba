import MagicData

/// The descriptions that lie in files, and a few of them, read now.
struct Descriptions {
  /// How many lie in files.
  let count: Int
  /// In bytes.
  let size: Int
  /// The first sentence of each that was read.
  let read: [(name: String, sentence: String)]
  /// What reading them took.
  let seconds: Double

  /// Counts those of some packages, and reads those of others. The packages were fetched without.
  init(of packages: [DebianPackage], reading few: [DebianPackage]) throws {
    let inFiles = packages.filter(\.details.hasValue)
    count = inFiles.count
    // Of a file that a row names the size is known without what is in it.
    size = try inFiles.map { try $0.details.size }.reduce(0, +)

    let stopwatch = Stopwatch()
    read = try few.compactMap { package in
      try package.details.load().map { (package.name, Self.firstSentence(of: $0)) }
    }
    seconds = stopwatch.seconds
  }

  /// The first sentence below the first line, which is a title.
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
