import Foundation

/// A response of HTTP/1.1.
struct HTTPResponse: Sendable {
  /// The content.
  enum Body: Sendable {
    case data(Data)
    /// Bytes of a file.
    case file(URL, Range<Int>)
    /// Events until one side ends the connection.
    case events(CommitEvents)
  }

  var status: Int
  /// The headers besides the length and the connection, in their order.
  var headers: [(name: String, value: String)]
  var body: Body
  /// Whether the connection ends after the response.
  var endsConnection = false

  /// The length of the body; nil for events.
  var contentLength: Int? {
    switch body {
    case .data(let data): data.count
    case .file(_, let range): range.count
    case .events: nil
    }
  }

  /// The head with the empty line at its end.
  func head(keepsAlive: Bool) -> Data {
    var text = "HTTP/1.1 \(status) \(Self.phrases[status] ?? "Status")\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    if let contentLength { text += "Content-Length: \(contentLength)\r\n" }
    text += "Connection: \(keepsAlive ? "keep-alive" : "close")\r\n\r\n"
    return Data(text.utf8)
  }

  private static let phrases = [
    200: "OK", 206: "Partial Content", 303: "See Other", 400: "Bad Request", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict",
    413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
    416: "Range Not Satisfiable", 421: "Misdirected Request", 422: "Unprocessable Content",
    431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
    503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}
