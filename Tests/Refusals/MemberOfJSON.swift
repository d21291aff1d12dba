// expected: the value is stored as JSON; read a member by its key
import Foundation
import MagicQuery

struct SeatInfo: MagicalCodable { var label = "" }

struct Seat: MagicObject {
  @MagicValue var info = SeatInfo()
  @OptionMagicValue var more: SeatInfo?
  init() {}
}

let query = MagicQuery(Seat.self).where { $0.$info.label == "x" || $0.$more.label == nil }
