// expected: requires that 'Mood' conform to 'Magical'
import Foundation
import MagicQuery

enum Mood: Codable { case good, bad }

struct Friend: MagicObject {
  @MagicValue var mood: Mood
  init() {}
}
