import Foundation
import MagicData

/// Types as they are after a change.
enum Changed {
  struct Person: MagicObject {
    @PrimaryMagicValue var id: String
    // Was required.
    @OptionMagicValue var name: String?
    // Was an integer.
    @MagicValue var age: Double
    @MagicValue var height: Double
    @OptionMagicValue var nickname: String?
    @MagicValue var photo: Data

    init() {}
  }
}
