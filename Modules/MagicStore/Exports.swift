@_exported public import MagicEngine
@_exported public import MagicSchema
@_exported public import Magical
