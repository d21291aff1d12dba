@_exported public import MagicObservation
@_exported public import MagicQuery
