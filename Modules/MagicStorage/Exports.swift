@_exported public import MagicBase
