@_exported public import MagicAsync
