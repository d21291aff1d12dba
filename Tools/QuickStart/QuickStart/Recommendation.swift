import MagicData

/// A recommendation of a package by another. The removal of either package removes it.
struct Recommendation: MagicObject {
  @MagicValue(.onDelete(.cascade)) var package: DebianPackage
  @MagicValue(.onDelete(.cascade)) var recommended: DebianPackage

  init() {}

  init(of recommended: DebianPackage, by package: DebianPackage) {
    self.package = package
    self.recommended = recommended
  }
}
