import Foundation
import MagicInspection

/// Answers the requests of HTTP: checks them, and adds the headers that restrict what a page can do.
struct BrowserHandler: HTTPResponder {
  let site: Site
  let access: RequestGuard

  /// Pages load only from this server. They have no inline scripts and styles, are in no frame, and
  /// send forms only to this server.
  static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
    """
  /// Values of the file are shown alone: they load nothing and run nothing.
  static let valuePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    if case .refuse(let status, let message) = access.decision(request) {
      return response(to: HTTPFault(status, message))
    }
    guard request.method == "POST" else {
      guard request.contentLength == 0 else {
        return response(to: HTTPFault(400, "Only a form has a body."))
      }
      return nil
    }
    let type = request["Content-Type"]?.split(separator: ";").first?.lowercased()
    guard type == "application/x-www-form-urlencoded" else {
      return response(to: HTTPFault(415, "The body is not a form."))
    }
    return nil
  }

  func response(to request: HTTPRequest) async -> HTTPResponse {
    guard let link = Link(target: request.target) else {
      return response(to: HTTPFault(400, "The address is not valid."))
    }
    if access.decision(request) == .signIn {
      return signIn(request, continuing: link.without("token"))
    }
    guard request.method == "POST" else {
      return response(await site.response(to: link), to: request)
    }
    guard let form = SubmittedForm(request.body) else {
      return response(to: HTTPFault(400, "The form cannot be read."))
    }
    return response(await site.response(to: link, form: form), to: request)
  }

  /// Stores the cookie in the browser, and continues without the token in the address.
  private func signIn(_ request: HTTPRequest, continuing link: Link) -> HTTPResponse {
    var page = SiteResponse.redirect(to: link)
    // A page of another site or a local file has led to this address, as `serve --open` does. A browser
    // would not send the cookie with a redirection then, so the next request comes from a page.
    if let site = request["Sec-Fetch-Site"], site != "none", site != "same-origin" {
      page = .html(Layout.forwarding(to: link))
    }
    var response = response(page, to: request)
    response.headers.append(("Set-Cookie", access.cookie))
    return response
  }

  func response(to fault: HTTPFault) -> HTTPResponse {
    HTTPResponse(
      status: fault.status,
      headers: Self.headers(policy: Self.valuePolicy) + [
        ("Content-Type", "text/plain; charset=utf-8")
      ], body: .data(Data((fault.message + "\n").utf8)), endsConnection: true)
  }

  private func response(_ page: SiteResponse, to request: HTTPRequest) -> HTTPResponse {
    var headers = Self.headers(policy: page.isValue ? Self.valuePolicy : Self.policy)
    headers.append(("Content-Type", page.type))
    if let location = page.location { headers.append(("Location", location.text)) }
    if let name = page.fileName {
      headers.append(("Content-Disposition", "attachment; filename=\"\(name)\""))
    } else if page.isDownload {
      headers.append(("Content-Disposition", "attachment"))
    }
    var response = HTTPResponse(status: page.status, headers: headers, body: page.body)
    if page.isValue, page.status == 200 { select(request, in: &response) }
    return response
  }

  /// Restricts a response to the range that a request asks for.
  private func select(_ request: HTTPRequest, in response: inout HTTPResponse) {
    guard let count = response.contentLength else { return }
    response.headers.append(("Accept-Ranges", "bytes"))
    // A value has no version to compare, so a range with a condition is answered with the whole.
    let header = request.method == "GET" && request["If-Range"] == nil ? request["Range"] : nil
    switch ByteRange(header: header, count: count) {
    case .whole: break
    case .part(let range):
      response.status = 206
      response.headers.append(
        ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"))
      switch response.body {
      case .data(let data):
        response.body = .data(Data(data.dropFirst(range.lowerBound).prefix(range.count)))
      case .file(let url, _): response.body = .file(url, range)
      case .events: break
      }
    case .outside:
      response.status = 416
      response.headers.append(("Content-Range", "bytes */\(count)"))
      response.body = .data(Data())
    }
  }

  /// Browsers send forms of pages without any referrer with the origin "null".
  private static func headers(policy: String) -> [(name: String, value: String)] {
    [
      ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("Cache-Control", "no-store"),
    ]
  }
}
