@_exported public import MagicRequests
