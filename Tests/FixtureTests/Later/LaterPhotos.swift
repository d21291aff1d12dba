import Foundation
import MagicAssets
import MagicAsync
import MagicRelations

extension Later {
  struct Photo: MagicObject {
    static var tableName: String { "Photo 'album'" }

    @PrimaryMagicValue var number: Int
    // Was required, under another name.
    @OptionMagicValue(.wasNamed("the image")) var image: MagicAsset<Data>?
    // Was a file.
    @OptionMagicValue var caption: String?
    // Added.
    @MagicValue var remark: MagicAsset<String> = .init(value: "new", pathExtension: "txt")

    static var migrations: Migrations {
      Migrations {
        MigrationStep { [.deleteValue(name: "letter")] }
        MigrationStep {
          [
            .transformValue(name: "caption") { (caption: MagicAsset<String>) in
              try caption.load() ?? ""
            }
          ]
        }
      }
    }

    init() {}
  }

  struct Library: MagicObject {
    @PrimaryMagicValue var name: String
    // Was lazy.
    @MagicValue var keeper: Person
    @MagicValue(.wasNamed("deputy")) var deputies: AsyncMagical<[Person]> = .init(value: [])
    // Was a list.
    @MagicValue var photos: AsyncMagical<MagicalSet<Photo>> = .init(value: [])
    // Was a set with the delete rule deny.
    @MagicValue var readers: AsyncMagical<[Person]> = .init(value: [])
    @MagicValue(.wasNamed("titles")) var pictures: AsyncMagical<[String: Photo]> = .init(value: [:])
    // Was lazy.
    @OptionMagicValue(.wasNamed("text")) var story: MagicAsset<String>?
    @MagicValue var cover: AsyncMagical<MagicAsset<Data>> = .init(value: .init(value: Data([7])))

    static var migrations: Migrations {
      Migrations {
        MigrationStep { [.convertValue(name: "photos"), .deleteValue(name: "by year")] }
      }
    }

    init() {}
  }
}
