import MagicData

/// Who looks after packages: a name and an address, as the packages have them.
struct Maintainer: MagicObject {
  @PrimaryMagicValue var name: String
  @ReverseMagicValue(\DebianPackage.$maintainer) var packages: AsyncReverseMagicSet<DebianPackage>

  init() {}

  init(named name: String) {
    self.name = name
  }
}
