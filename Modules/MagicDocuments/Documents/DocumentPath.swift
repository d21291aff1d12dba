import MagicRuntime
import MagicSchema

/// A place in a document.
final class DocumentPath {
  private enum Step {
    case root
    /// A record of an imported file.
    case record(RecordPlace)
    case key(String)
    case index(Int)
  }

  private let parent: DocumentPath?
  private let step: Step

  private init(_ step: Step, of parent: DocumentPath?) { (self.step, self.parent) = (step, parent) }

  static func root() -> DocumentPath { DocumentPath(.root, of: nil) }
  static func record(_ place: RecordPlace) -> DocumentPath { DocumentPath(.record(place), of: nil) }

  func key(_ name: String) -> DocumentPath { DocumentPath(.key(name), of: self) }
  func index(_ index: Int) -> DocumentPath { DocumentPath(.index(index), of: self) }

  /// The number of characters of a key that messages contain.
  private static let shownLength = 64

  var text: String {
    var texts: [String] = []
    var place: DocumentPath? = self
    while let current = place {
      switch current.step {
      case .root: texts.append("$")
      case .record(let place): texts.append("line \(place.line)")
      case .index(let index): texts.append("[\(index)]")
      case .key(let name):
        let shown = name.prefix(Self.shownLength)
        let isPlain = shown.allSatisfy {
          $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "$"
        }
        texts.append(isPlain ? ".\(shown)" : "[\(String(shown).debugDescription)]")
      }
      place = current.parent
    }
    return texts.reversed().joined()
  }

  /// The record of an imported file; nil for a document.
  var record: RecordPlace? {
    if case .record(let place) = step { return place }
    return parent?.record
  }

  private var firstKey: String? {
    if let key = parent?.firstKey { return key }
    if case .key(let name) = step { return name }
    return nil
  }

  /// The error for a document that is wrong at this place.
  func error(
    _ reason: MagicJSONError.Reason, _ message: String, _ schema: ObjectSchema? = nil,
    _ property: PropertySchema? = nil
  ) -> MagicError {
    let code: MagicError.Code =
      switch reason {
      case .missingKey: .missingValue
      case .unknownReference: .notFound
      default: .cannotDecode
      }
    return MagicError(
      code, "The document is not valid at \(text): \(message).", type: schema?.typeName,
      property: property?.property,
      cause: MagicJSONError(
        reason: reason, path: text, message: message, record: record, key: firstKey))
  }
}
