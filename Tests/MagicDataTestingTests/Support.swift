import Foundation
import MagicData
import MagicDataTesting
import MagicTestSupport

/// The types of the first version of a program.
enum First {
  struct Person: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue var name: String
    @OptionMagicValue var note: String?
    @OptionMagicValue var picture: MagicAsset<Data>?
    @MagicValue var friends: [Person] = []

    init() {}
    init(_ name: String) { self.name = name }
  }
}

/// The types of its second version.
enum Second {
  struct Person: MagicObject {
    @PrimaryMagicValue var id: String
    @OptionMagicValue(.wasNamed("name")) var fullName: String?
    @OptionMagicValue var picture: MagicAsset<Data>?
    @MagicValue var friends: MagicalSet<Person> = []
    @MagicValue var age: Int = 18

    static var migrations: Migrations {
      Migrations { MigrationStep { [.deleteValue(name: "note")] } }
    }
  }
}

/// A directory in which a fixture was recorded.
struct Recorded {
  let directory: TemporaryDirectory

  var file: URL { directory.file("kept/1.0.sqlite3") }
  var assets: URL { directory.file("kept/1.0.sqlite3-assets") }

  init() async throws {
    directory = try TemporaryDirectory()
    let magic = try await MagicData(type: .temporary)
    try await magic.update(Self.people())
    try await MagicMigrationFixture.record(magic, to: file)
    await magic.close()
  }

  static func people() -> First.Person {
    let ada = First.Person("Ada")
    ada.note = "first"
    ada.picture = MagicAsset(value: Data([1, 2, 3]), pathExtension: "png")
    ada.friends = [First.Person("Bob"), First.Person("Eve")]
    return ada
  }

  /// Every file and directory with its content, by its path.
  func content() throws -> [String: Data?] {
    let folder = file.deletingLastPathComponent()
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Dictionary(
      names.map { ($0, try? Data(contentsOf: folder.appendingPathComponent($0))) },
      uniquingKeysWith: { first, _ in first })
  }
}
