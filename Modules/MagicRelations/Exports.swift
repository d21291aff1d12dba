@_exported public import MagicSchema
@_exported public import Magical
