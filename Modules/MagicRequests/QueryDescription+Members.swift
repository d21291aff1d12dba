import MagicSchema

/// A condition on the members of a lazy collection.
extension QueryDescription: MemberFilter {}
