import MagicData
import Workloads

/// An object with a relationship to others of its own type.
struct Package: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue var version: String
  @MagicValue var details: String
  @MagicValue var size: Int
  @OptionMagicValue var maintainer: Maintainer?
  @MagicValue var needs: MagicalSet<Package> = []
  @ReverseMagicValue(\Package.$needs) var neededBy: AsyncReverseMagicSet<Package>

  init() {}

  init(_ package: PlainPackage, maintainer: Maintainer) {
    id = package.id
    name = package.name
    version = package.version
    details = package.details
    size = package.size
    self.maintainer = maintainer
  }
}

/// An object that many others refer to.
struct Maintainer: MagicObject {
  @PrimaryMagicValue var name: String

  init() {}

  init(_ name: String) {
    self.name = name
  }
}
