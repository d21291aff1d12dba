// expected: (Decodable|Encodable|Codable)
import Foundation
import MagicQuery

enum Flavor: String, Magical { case sweet, sour }

struct Cake: MagicObject {
  @MagicValue var flavors: Set<Flavor> = []
  init() {}
}
