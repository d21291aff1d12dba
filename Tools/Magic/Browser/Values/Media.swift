import Foundation

/// What the bytes of an asset or blob are, found from their beginning. Only these kinds are shown
/// in a page; others are downloads, such as SVG and HTML, which can contain scripts.
enum Media: Equatable {
  case image(String)
  case audio(String)
  /// A text in UTF-8.
  case text
  case other

  /// The number of bytes that are needed.
  static let prefixLength = 4_096

  init(beginning bytes: [UInt8], isWhole: Bool) {
    for (media, signature) in Self.signatures
    where bytes.count >= signature.count
      && zip(bytes, signature).allSatisfy({ $1 == nil || $0 == $1 })
    {
      self = media
      return
    }
    self = Self.isText(bytes, isWhole: isWhole) ? .text : .other
  }

  /// The MIME type with which the bytes are sent.
  var type: String {
    switch self {
    case .image(let type), .audio(let type): type
    case .text: "text/plain; charset=utf-8"
    case .other: "application/octet-stream"
    }
  }

  var isShown: Bool { self != .other }

  /// The first bytes of each kind; nil for any byte.
  private static let signatures: [(Media, [UInt8?])] = [
    (.image("image/png"), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.image("image/jpeg"), [0xFF, 0xD8, 0xFF]),
    (.image("image/gif"), bytes("GIF8")),
    (.image("image/webp"), bytes("RIFF") + [nil, nil, nil, nil] + bytes("WEBP")),
    (.image("image/avif"), [nil, nil, nil, nil] + bytes("ftypavif")),
    (.audio("audio/wav"), bytes("RIFF") + [nil, nil, nil, nil] + bytes("WAVE")),
    (.audio("audio/mpeg"), bytes("ID3")),
    (.audio("audio/mpeg"), [0xFF, 0xFB]),
    (.audio("audio/ogg"), bytes("OggS")),
    (.audio("audio/flac"), bytes("fLaC")),
    (.audio("audio/mp4"), [nil, nil, nil, nil] + bytes("ftypM4A")),
  ]

  private static func bytes(_ text: StaticString) -> [UInt8?] {
    text.withUTF8Buffer { $0.map { $0 } }
  }

  /// Whether the bytes are a text that is no markup.
  private static func isText(_ bytes: [UInt8], isWhole: Bool) -> Bool {
    guard !bytes.isEmpty, !bytes.contains(where: { $0 < 0x09 || (0x0E..<0x20).contains($0) }) else {
      return false
    }
    // The beginning may end within a character.
    let cuts = isWhole ? 0...0 : 0...3
    guard cuts.contains(where: { String(validating: bytes.dropLast($0), as: UTF8.self) != nil })
    else { return false }
    let start = bytes.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 <= 0x20 }
    return start.first != UInt8(ascii: "<")
  }
}
