import DatabaseTransfer

/// The form of a property's values in documents.
enum ReadForm {
  case scalar(TransferredKind)
  /// The JSON that the column contains.
  case json
  case asset
  /// An object or a collection of objects.
  case objects
}
