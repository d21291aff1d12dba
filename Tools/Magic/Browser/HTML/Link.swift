/// The address of a page of the browser: a path and parameters, percent-encoded when written. It
/// always begins with "/" and a name, so it has no scheme and no host.
struct Link: Hashable, Sendable {
  /// The components of the path.
  var path: [String]
  /// The parameters.
  var parameters: [Parameter]

  /// A parameter of an address.
  struct Parameter: Hashable, Sendable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  init(_ path: [String], _ parameters: [Parameter] = []) {
    self.path = path
    self.parameters = parameters
  }

  /// The address.
  var text: String {
    var result = path.map { "/" + Self.encoded(Self.component($0)) }.joined()
    if result.isEmpty { result = "/" }
    for (index, parameter) in parameters.enumerated() {
      result += index == 0 ? "?" : "&"
      result += Self.encoded(parameter.name) + "=" + Self.encoded(parameter.value)
    }
    return result
  }

  /// The address with a parameter replaced, or removed if the value is nil.
  func with(_ name: String, _ value: String?) -> Link {
    var parameters = parameters.filter { $0.name != name }
    if let value { parameters.append(Parameter(name, value)) }
    return Link(path, parameters)
  }

  /// The address without some parameters.
  func without(_ names: String...) -> Link {
    Link(path, parameters.filter { !names.contains($0.name) })
  }

  /// Reads an address; nil if it is not valid.
  init?(target: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, first.hasPrefix("/") else { return nil }
    var path: [String] = []
    for part in first.dropFirst().split(separator: "/", omittingEmptySubsequences: true) {
      guard let name = Self.decoded(part) else { return nil }
      path.append(name.hasPrefix("~") ? String(name.dropFirst()) : name)
    }
    var parameters: [Parameter] = []
    for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
      let pieces = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(pieces[0]),
        let value = Self.decoded(pieces.dropFirst().first ?? "")
      else { return nil }
      parameters.append(Parameter(name, value))
    }
    self.init(path, parameters)
  }

  /// Browsers resolve "." and "..", and the router drops empty components.
  private static func component(_ name: String) -> String {
    name.isEmpty || name.hasPrefix(".") || name.hasPrefix("~") ? "~" + name : name
  }

  private static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        result += byte < 16 ? "%0\(hex)" : "%\(hex)"
      }
    }
    return result
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let value = UInt8(String(rest.prefix(2)) ?? "", radix: 16), rest.count >= 2 else {
          return nil
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
