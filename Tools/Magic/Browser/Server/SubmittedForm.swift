import Foundation

/// The fields of a form that a page has sent.
struct SubmittedForm: Sendable {
  private let fields: [String: String]

  /// Reads a body in the notation `application/x-www-form-urlencoded`; nil if it is not valid.
  init?(_ body: Data) {
    guard let text = String(validating: body, as: UTF8.self), let link = Link(target: "/?" + text)
    else { return nil }
    fields = Dictionary(link.parameters.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// The value of a field, with the line breaks that the page had: a browser sends CR and LF for each.
  subscript(name: String) -> String? { fields[name]?.replacing("\r\n", with: "\n") }
}
