@_exported public import MagicAssets
@_exported public import MagicQuery
