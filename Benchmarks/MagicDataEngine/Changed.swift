import MagicData

/// The types after a change.
enum Changed {
  struct Person: MagicObject {
    @PrimaryMagicValue var id: String
    // Was required.
    @OptionMagicValue var name: String?
    // Was an integer.
    @MagicValue var age: Double
    @MagicValue var height: Double
    @OptionMagicValue var nickname: String?
    @MagicValue var photo: [UInt8]

    init() {}
  }
}
