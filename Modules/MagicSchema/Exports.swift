@_exported public import MagicErrors
