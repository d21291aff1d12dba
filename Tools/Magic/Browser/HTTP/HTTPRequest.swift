import Foundation

/// A request of HTTP/1.1: its head and, after the head was admitted, its body.
struct HTTPRequest: Sendable {
  let method: String
  /// The path with its parameters, as it was sent.
  let target: String
  /// The values by the names in lower case. Values of several lines with one name are joined.
  let headers: [String: String]
  /// Whether the client sends further requests on the connection.
  let keepsAlive: Bool
  /// The length of the body in bytes, as the head says.
  let contentLength: Int
  var body = Data()

  /// The value of a header. The name is in any case.
  subscript(name: String) -> String? { headers[name.lowercased()] }
}

/// Why a request is not answered: the response, after which the connection ends.
struct HTTPFault: Error, Equatable {
  let status: Int
  let message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }
}

extension HTTPRequest {
  /// The largest number of headers.
  static let headerLimit = 100

  /// Reads a head, without the empty line at its end.
  init(head: some Sequence<UInt8>) throws(HTTPFault) {
    guard let text = String(validating: head, as: UTF8.self) else {
      throw HTTPFault(400, "The head of the request is not UTF-8.")
    }
    var lines = text.components(separatedBy: "\r\n")[...]
    let parts = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.allSatisfy(Self.isToken),
      !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw HTTPFault(400, "The first line of the request is not one of HTTP.") }
    guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
      throw HTTPFault(505, "The version of HTTP is not 1.0 or 1.1.")
    }
    guard lines.count <= Self.headerLimit else {
      throw HTTPFault(431, "The request has more than \(Self.headerLimit) headers.")
    }
    method = String(parts[0])
    target = String(parts[1])
    headers = try Self.headers(lines)
    keepsAlive = parts[2] == "HTTP/1.1" && headers["connection"]?.lowercased() != "close"
    guard headers["transfer-encoding"] == nil else {
      throw HTTPFault(501, "A body with a Transfer-Encoding is not supported.")
    }
    let length = headers["content-length"] ?? "0"
    guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(length) else {
      throw HTTPFault(400, "The Content-Length is not a number.")
    }
    contentLength = number
  }

  private static func headers(
    _ lines: ArraySlice<String>
  ) throws(HTTPFault) -> [String: String] {
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[..<colon].utf8.allSatisfy(isToken),
        !line.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
      else { throw HTTPFault(400, "A header of the request is not one of HTTP.") }
      let name = line[..<colon].lowercased()
      let value = line[line.utf8.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
      guard let earlier = headers[name] else {
        headers[name] = value
        continue
      }
      // Two readers could understand different ones of them.
      guard !["host", "origin", "content-length", "sec-fetch-site"].contains(name) else {
        throw HTTPFault(400, "A header that is permitted once is there twice.")
      }
      headers[name] = earlier + (name == "cookie" ? "; " : ", ") + value
    }
    return headers
  }

  /// Whether a byte is permitted in names.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
