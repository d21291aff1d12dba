@_exported public import MagicStorage
