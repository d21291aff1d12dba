import Foundation
import MagicData

extension HostileImports {
  struct Stay: MagicalCodable {
    var place: String
    var since: Date?
  }

  /// A type with the kinds of values that files contain.
  struct Guest: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue var name: String = ""
    @OptionMagicValue var age: Int?
    @MagicValue var size: Double = 0
    @MagicValue var isVIP: Bool = false
    @OptionMagicValue var born: Date?
    @OptionMagicValue var token: UUID?
    @OptionMagicValue var photo: Data?
    @MagicValue var tags: [String] = []
    @OptionMagicValue var stay: Stay?
    @OptionMagicValue var host: Guest?
    @MagicValue var friends: [Guest] = []
    @MagicValue var rooms: [String: Room] = [:]
    @OptionMagicValue var next: AsyncMagical<Guest>?
    @MagicVersion var version: Int

    init() {}
    init(_ id: String) { self.id = id }
  }

  /// A type without a primary.
  struct Room: MagicObject {
    @MagicValue var name: String
    @OptionMagicValue var guest: Guest?

    init() {}
    init(_ name: String) { self.name = name }
  }
}
