@_exported public import MagicRelations
@_exported public import MagicSchema
@_exported public import Magical
