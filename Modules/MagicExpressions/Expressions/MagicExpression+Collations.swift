import Foundation
import MagicEngine
import MagicRuntime
public import MagicSchema

/// How a predicate compares texts.
public enum MagicTextOption: Sendable {
  /// The case of all letters is ignored: the lower-case forms of the texts are compared, as by
  /// `lowercased()` of `String`. So "ß" and "SS" differ.
  case caseInsensitive
}

/// Texts that are not compared by their bytes.
extension MagicExpression where Value: MagicText {
  /// Returns the text, whose comparisons and order are those of a collation:
  /// `order { $0.$owner.$name.compared(.localized("de")) }`.
  ///
  /// In a comparison of two texts, the collation of the first counts, if it has one.
  public func compared(_ collation: MagicCollation) -> MagicExpression {
    MagicExpression(.collated(untyped, collation))
  }

  /// Whether the text equals another text without regard to case: `equals("ÉVA",
  /// .caseInsensitive)`. False for nil. No index is used.
  public func equals(_ text: String, _ option: MagicTextOption) -> MagicPredicate<Model> {
    .comparison(.equal, folded(option).untyped, QueryExpression(.text(option.folded(text))))
  }

  /// Whether the text contains another text without regard to case. False for nil.
  public func contains(_ text: String, _ option: MagicTextOption) -> MagicPredicate<Model> {
    folded(option).contains(option.folded(text))
  }

  /// Whether the text begins with a prefix without regard to case. False for nil. No index is used.
  public func hasPrefix(_ prefix: String, _ option: MagicTextOption) -> MagicPredicate<Model> {
    folded(option).hasPrefix(option.folded(prefix))
  }

  /// Whether the text ends with a suffix without regard to case. False for nil.
  public func hasSuffix(_ suffix: String, _ option: MagicTextOption) -> MagicPredicate<Model> {
    folded(option).hasSuffix(option.folded(suffix))
  }

  private func folded(_ option: MagicTextOption) -> MagicExpression {
    switch option {
    case .caseInsensitive: lowercased()
    }
  }
}

extension MagicTextOption {
  fileprivate func folded(_ text: String) -> String {
    switch self {
    case .caseInsensitive: text.lowercased()
    }
  }
}

extension QueryExpression {
  /// Returns a text that is compared by a collation. The current locale is that of this moment.
  package static func collated(
    _ text: QueryExpression, _ collation: MagicCollation
  ) -> QueryExpression {
    var collation = collation
    if collation.kind == .currentLocale {
      collation = .localized(TextCollator.identifier(of: .current))
    }
    if let problem = collation.problem {
      return QueryExpression(MagicError(.invalidQuery, problem))
    }
    return .function(.collated(collation), text)
  }
}
