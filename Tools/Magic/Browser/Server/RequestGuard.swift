/// Determines which requests are answered. A page of another site, and a program of another user
/// of this computer, can send requests to the server; neither knows the token.
struct RequestGuard: Sendable {
  let token: AccessToken
  let port: UInt16
  /// Whether forms are answered, which change the database.
  var allowsForms = false

  /// The longest address that is read, in bytes.
  static let targetLimit = 8 << 10

  /// What happens to a request.
  enum Decision: Equatable {
    case admit
    /// The request has the token in its address: it receives the cookie, and the address without
    /// the token.
    case signIn
    case refuse(Int, String)
  }

  /// Cookies are shared by all ports of a host, so the name contains the port.
  var cookieName: String { "magic-\(port)" }

  /// The header that stores the token in the browser. Scripts cannot read it, and requests that
  /// other sites cause do not contain it.
  var cookie: String { "\(cookieName)=\(token.text); Path=/; HttpOnly; SameSite=Strict" }

  func decision(_ request: HTTPRequest) -> Decision {
    guard ["GET", "HEAD"].contains(request.method) || request.method == "POST" && allowsForms else {
      return .refuse(
        405, "Only GET and HEAD are supported\(allowsForms ? ", and POST for forms" : "").")
    }
    guard request.target.utf8.count <= Self.targetLimit else {
      return .refuse(414, "The address is longer than 8 KiB.")
    }
    // A host name of another site that resolves to this computer has another Host.
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host = request["Host"], hosts.contains(host) else {
      return .refuse(421, "The Host of the request is not that of this server.")
    }
    if let origin = request["Origin"], origin != "http://\(host)" {
      return .refuse(403, "The request comes from another site.")
    }
    if request.method == "POST" {
      // Browsers send the origin with each form.
      guard request["Origin"] != nil else {
        return .refuse(403, "The form has no Origin, so it is not one of this server.")
      }
    } else if let given = Link(target: request.target)?.parameters.first(where: {
      $0.name == "token"
    }) {
      return token.matches(given.value)
        ? .signIn
        : .refuse(403, "The token is not that of this server. Open the address it printed.")
    }
    // Another port of this computer is another site too, which browsers call "same-site".
    if let site = request["Sec-Fetch-Site"], site != "same-origin",
      site != "none" || request.method == "POST"
    {
      return .refuse(403, "The request comes from another site.")
    }
    let cookies = (request["Cookie"] ?? "").split(separator: ";")
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
    let prefix = cookieName + "="
    guard let cookie = cookies.first(where: { $0.hasPrefix(prefix) }),
      token.matches(String(cookie.dropFirst(prefix.count)))
    else {
      return .refuse(403, "The request has no token. Open the address the server printed.")
    }
    return .admit
  }
}
