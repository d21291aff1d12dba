import MagicData

/// The packages that are asked about, by their primary values.
struct Questions: Sendable, Equatable {
  /// What the user named.
  struct Wishes: Sendable {
    var needs: String?
    var neededBy: String?
  }

  /// Whose needs are asked for, all the way down.
  let needs: String?
  /// The package of which is asked who needs it.
  let neededBy: String?

  init(_ wishes: Wishes, of archive: PackageArchive) throws {
    needs = try Self.id(wishes.needs, archive) ?? archive.neediest?.id
    neededBy = try Self.id(wishes.neededBy, archive) ?? archive.mostNeeded?.id
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
