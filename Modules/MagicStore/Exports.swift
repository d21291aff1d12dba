@_exported public import MagicEngine
@_exported public import MagicSchema
@_exported public import Magical
@_exported public import SQLiteEngine
@_exported public import SQLiteMaintenance
@_exported public import SQLiteMigration
