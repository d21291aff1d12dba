@_exported public import MagicExpressions
