import MagicData

/// A maintainer of packages, with name and address as in the package database.
struct Maintainer: MagicObject {
  @PrimaryMagicValue var name: String
  @ReverseMagicValue(\DebianPackage.$maintainer) var packages: AsyncReverseMagicSet<DebianPackage>

  init() {}

  init(named name: String) {
    self.name = name
  }
}
