import MagicSchema

/// A link that was written to a row which this transaction did not write.
struct TrustedLink {
  enum Place {
    case toOne(Int)
    case collection(Int)
  }

  let owner: ObjectSchema
  /// The owner's row.
  let zIndex: Int64
  let property: PropertyReference
  let place: Place
  let target: Int64
}
