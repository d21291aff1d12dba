import MagicData

/// The packages of the queries, by their primaries.
struct Questions: Sendable, Equatable {
  /// The packages that the user has chosen.
  struct Wishes: Sendable {
    var needs: String?
    var neededBy: String?
    var about: String?
  }

  /// The package whose needs are listed, directly and indirectly.
  let needs: String?
  /// The package whose dependents are listed.
  let neededBy: String?
  /// The text that packages are searched for.
  let about: String

  /// Every installation of Debian has packages about it.
  static let defaultText = "compression library"

  init(_ wishes: Wishes, of archive: PackageArchive) throws {
    needs = try Self.id(wishes.needs, archive) ?? archive.neediest?.id
    neededBy = try Self.id(wishes.neededBy, archive) ?? archive.mostNeeded?.id
    about = wishes.about ?? Self.defaultText
  }

  private static func id(_ name: String?, _ archive: PackageArchive) throws -> String? {
    guard let name else { return nil }
    guard let package = archive.package(named: name) else { throw Unknown(name: name) }
    return package.id
  }
}

extension Questions {
  struct Unknown: Error, CustomStringConvertible {
    let name: String

    var description: String { "the file has no package \(name.printable)" }
  }
}
