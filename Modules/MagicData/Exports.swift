@_exported public import MagicAsync
@_exported public import MagicJoins
@_exported public import MagicObservation
@_exported public import MagicQueryText
@_exported public import MagicTextSearch
@_exported public import MagicRecords
@_exported public import MagicStatements
@_exported public import SQLiteStore
