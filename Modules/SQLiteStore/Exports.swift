@_exported public import MagicStore
