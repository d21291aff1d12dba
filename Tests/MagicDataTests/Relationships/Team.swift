import Foundation
import MagicData

/// A member of a team; it has no primary.
struct Player: MagicObject {
  @MagicValue var name: String
  @OptionMagicValue var team: Team?
  @OptionMagicValue var rival: Player?

  init() {}
  init(_ name: String) { self.name = name }
}

/// Refers to players in every way.
struct Team: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var captain: Player?
  @MagicValue var players: [Player] = []
  @MagicValue var reserve: MagicalSet<Player> = []
  @MagicValue var roles: [String: Player] = [:]

  init() {}
  init(_ name: String) { self.name = name }
}

/// Has a required reference to a team.
struct Match: MagicObject {
  @MagicValue var home: Team
  @MagicValue var guest: Team

  init() {}
  init(_ home: Team, _ guest: Team) {
    self.home = home
    self.guest = guest
  }
}
