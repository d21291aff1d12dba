@_exported public import MagicRelations
@_exported public import MagicStore
