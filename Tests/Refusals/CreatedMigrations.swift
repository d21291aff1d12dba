// expected: is unavailable: replace createMigrations\(\) by 'static var migrations: Migrations'
import Foundation
import MagicQuery

struct Friend: MagicObject {
  @MagicValue var name: String
  init() {}

  static func createMigrations() -> Migrations { Migrations() }
}
