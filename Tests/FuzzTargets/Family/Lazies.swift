import Foundation
import MagicAssets
import MagicAsync
import MagicRelations

/// An object with assets.
struct Photo: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var title: String = ""
  @MagicValue var image: MagicAsset<Data>
  @OptionMagicValue var caption: MagicAsset<String>?
  @OptionMagicValue var letter: MagicAsset<Job>?

  init() { image = .init() }
}

/// An object with lazy values.
struct Library: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var keeper: AsyncMagical<Leaf>
  @OptionMagicValue var deputy: AsyncMagical<Leaf>?
  @MagicValue var leaves: AsyncMagical<[Leaf]> = .init(value: [])
  @MagicValue var group: AsyncMagical<MagicalSet<Leaf>> = .init(value: [])
  @MagicValue var titles: AsyncMagical<[String: Photo]> = .init(value: [:])
  @OptionMagicValue var cover: AsyncMagical<MagicAsset<Data>>?

  init() {}
}

/// The types of a later version of the program.
enum Later {
  struct Leaf: MagicObject {
    @MagicValue(.indexed, .wasNamed("name")) var title: String
    @OptionMagicValue var next: Leaf?
    @MagicValue(.indexed) var weight: Int = 3

    init() {}
  }

  struct Scalar: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var text: String
    @OptionMagicValue var small: Int?
    @MagicValue var huge: UInt64
    @MagicValue var isTrue: Int
    @OptionMagicValue var data: Data?
    @MagicValue var mood: String
    @OptionMagicValue var extra: Date?

    static var migrations: Migrations {
      Migrations {
        MigrationStep { [.transformValue(name: "text") { (text: String) in text + "!" }] }
        MigrationStep {
          [
            "note", "natural", "isSure", "ratio", "real", "born", "token", "link", "amount",
            "bytes",
            "rank", "job", "tags", "lines", "scores",
          ].map { .deleteValue(name: $0) }
        }
      }
    }

    init() {}
  }
}
