import MagicData

/// Why a form is not saved. Nothing was changed.
enum EditProblem: Error, Equatable {
  /// The fields that have an invalid text, with what is wrong.
  case fields([String: String])
  /// The whole object cannot be saved or deleted.
  case object(String)
  /// The object was changed after the form was made.
  case changed
  /// The object was deleted.
  case deleted

  /// Describes an error of the database.
  init(_ error: MagicError, _ fields: [EditField]) {
    if let name = error.property, fields.contains(where: { $0.property == name }) {
      self = .fields([name: error.message])
    } else {
      self = .object(error.message)
    }
  }
}
