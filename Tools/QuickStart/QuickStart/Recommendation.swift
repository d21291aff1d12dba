import MagicData

/// That one package recommends another. It goes with either of them.
struct Recommendation: MagicObject {
  @MagicValue(.onDelete(.cascade)) var package: DebianPackage
  @MagicValue(.onDelete(.cascade)) var recommended: DebianPackage

  init() {}

  init(of recommended: DebianPackage, by package: DebianPackage) {
    self.package = package
    self.recommended = recommended
  }
}
