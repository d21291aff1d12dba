import MagicData

/// A section of the archive, for example `libs` or `games`.
struct Section: MagicObject {
  @PrimaryMagicValue var name: String
  @ReverseMagicValue(\DebianPackage.$section) var packages: AsyncReverseMagicSet<DebianPackage>

  init() {}

  init(named name: String) {
    self.name = name
  }
}
