@_exported public import MagicSchema
@_exported public import Magical
@_exported public import SQLiteChanges
@_exported public import SQLiteEngine
@_exported public import SQLiteFiles
@_exported public import SQLiteMaintenance
@_exported public import SQLiteMigration
@_exported public import SQLiteTables
