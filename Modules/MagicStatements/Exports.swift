@_exported public import MagicQuery
