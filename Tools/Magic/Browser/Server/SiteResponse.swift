import Foundation
import MagicInspection

/// What the server sends for an address, without the headers that all responses have.
struct SiteResponse: Sendable {
  var status = 200
  var type: String
  /// Whether the content is a value of the file, not a page.
  var isValue = false
  /// Whether the browser stores the content instead of showing it.
  var isDownload = false
  /// The name of the stored file: letters, digits and points only.
  var fileName: String?
  /// The address of another page that follows.
  var location: Link?
  var body: HTTPResponse.Body

  static func html(_ page: HTML, status: Int = 200) -> SiteResponse {
    .text(page.document(), type: "text/html", status: status)
  }

  static func json(_ document: JSONNode, status: Int = 200) -> SiteResponse {
    .text(document.text(isIndented: true) + "\n", type: "application/json", status: status)
  }

  /// Continues with another page, after a form.
  static func redirect(to link: Link) -> SiteResponse {
    SiteResponse(
      status: 303, type: "text/plain; charset=utf-8", location: link, body: .data(Data()))
  }

  static func text(_ text: String, type: String, status: Int = 200) -> SiteResponse {
    SiteResponse(status: status, type: type + "; charset=utf-8", body: .data(Data(text.utf8)))
  }
}
