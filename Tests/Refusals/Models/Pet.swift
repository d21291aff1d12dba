import MagicQuery

struct Pet: MagicObject {
  @MagicValue var name: String = ""
  @MagicValue var age: Int = 0
  @OptionMagicValue var owner: Person?

  init() {}
}
