import Foundation
import MagicAssets
import MagicAsync
import MagicRelations

// Types with assets and lazy values.

struct Letter: MagicalCodable, Equatable {
  let heading: String
  let pages: [String]
}

/// An object with assets, with and without a path extension; pairs of rows share a file.
struct Photo: MagicObject {
  static var tableName: String { "Photo 'album'" }

  @PrimaryMagicValue var number: Int
  @MagicValue(.named("the image")) var image: MagicAsset<Data>
  @OptionMagicValue var caption: MagicAsset<String>?
  @OptionMagicValue var letter: MagicAsset<Letter>?

  init() { image = .init() }
}

/// An object with every kind of lazy value.
struct Library: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var keeper: AsyncMagical<Person>
  @OptionMagicValue(.onDelete(.cascade)) var deputy: AsyncMagical<Person>?
  @MagicValue var photos: AsyncMagical<[Photo]> = .init(value: [])
  @MagicValue(.onDelete(.deny)) var readers: AsyncMagical<MagicalSet<Person>> = .init(value: [])
  @MagicValue var titles: AsyncMagical<[String: Photo]> = .init(value: [:])
  @MagicValue(.named("by year")) var years: AsyncMagical<[Int: Photo]> = .init(value: [:])
  @MagicValue var text: AsyncMagical<MagicAsset<String>>
  @OptionMagicValue var cover: AsyncMagical<MagicAsset<Data>>?

  init() {}
}
