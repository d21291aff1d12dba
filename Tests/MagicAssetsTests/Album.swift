import Foundation
import MagicAssets

struct Label: MagicalCodable, Equatable {
  let text: String
  let size: Int
}

/// One property of each kind of asset.
struct Album: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var notes: MagicAsset<String>
  @MagicValue var cover: MagicAsset<Data>
  @OptionMagicValue var label: MagicAsset<Label>?
  @MagicValue var year: Int = 2000

  init() {
    notes = .init()
    cover = .init()
  }

  init(_ name: String, notes: String? = nil) {
    self.init()
    self.name = name
    if let notes { self.notes = .init(value: notes, pathExtension: "txt") }
  }
}
