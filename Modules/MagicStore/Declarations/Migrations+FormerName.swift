public import MagicSchema
public import Magical

@available(
  *, unavailable, message: "replace createMigrations() by 'static var migrations: Migrations'"
)
extension Migrations: _MagicFormerMigrations {}
