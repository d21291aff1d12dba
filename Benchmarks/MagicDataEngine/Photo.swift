import Foundation
import MagicData
import Workloads

/// An object whose large value is in a file.
struct Photo: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var title: String
  @MagicValue var image: MagicAsset<Data>

  init() {}

  init(_ photo: PlainPhoto) {
    id = photo.id
    title = photo.title
    image = .init(value: photo.image)
  }

  init(_ id: String, _ image: MagicAsset<Data>) {
    self.id = id
    title = "Film"
    self.image = image
  }
}

/// A team with lazy members; its table is that of ``Team``.
struct LazyTeam: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue var founded: Int
  @MagicValue var members: AsyncMagical<[Member]>

  static var tableName: String { "Team" }

  init() {}
}
