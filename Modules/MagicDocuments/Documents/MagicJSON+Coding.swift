import DatabaseTransfer
import Foundation
import MagicExchange
import MagicRuntime

/// The document as a value of any format: an encoder receives its objects, arrays and values, so that
/// a server can return it wherever it returns an encodable value.
extension MagicJSON: Codable {
  /// The deepest nesting of objects and arrays that is encoded.
  private static let depthLimit = 100

  /// Encodes the values of the document.
  ///
  /// - Throws: `EncodingError` if the document is not JSON, or is nested more than 100 levels deep.
  public func encode(to encoder: any Encoder) throws {
    try Element(json: data, depth: 0).encode(to: encoder)
  }

  /// Decodes values of any type, and writes them as a document.
  ///
  /// - Throws: `DecodingError` for a value that JSON does not have.
  public init(from decoder: any Decoder) throws {
    var bytes: [UInt8] = []
    try Self.write(decoder, to: &bytes)
    self.init(Data(bytes))
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { return nil }
  }

  private struct Element: Encodable {
    let json: Data
    let depth: Int

    func encode(to encoder: any Encoder) throws {
      let failure = EncodingError.invalidValue(
        Element.self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: depth > MagicJSON.depthLimit
            ? "The document is nested too deep." : "The document is not JSON."))
      guard depth <= MagicJSON.depthLimit else { throw failure }
      let isComplete = try json.withUnsafeBytes { bytes -> Bool in
        switch bytes.first {
        case UInt8(ascii: "{"):
          var container = encoder.container(keyedBy: Key.self)
          return try JSONScanner.forEachMember(of: bytes) { key, value in
            guard let key = JSONText.decoded(key) else { throw failure }
            try container.encode(
              element(value, of: bytes), forKey: Key(String(decoding: key, as: UTF8.self)))
          }
        case UInt8(ascii: "["):
          var container = encoder.unkeyedContainer()
          return try JSONScanner.forEachElement(of: bytes) {
            try container.encode(element($0, of: bytes))
          }
        default:
          var container = encoder.singleValueContainer()
          return try Self.encode(bytes, to: &container)
        }
      }
      guard isComplete else { throw failure }
    }

    /// Returns the element of a part of the JSON, which is not copied.
    private func element(
      _ value: UnsafeRawBufferPointer, of bytes: UnsafeRawBufferPointer
    ) -> Element {
      let start = json.startIndex + (value.startAddress - bytes.startAddress)
      return Element(json: json[start..<start + value.count], depth: depth + 1)
    }

    private static func encode(
      _ bytes: UnsafeRawBufferPointer, to container: inout any SingleValueEncodingContainer
    ) throws -> Bool {
      if let quoted = JSONText.quoted(bytes) {
        guard let text = JSONText.decoded(quoted) else { return false }
        try container.encode(String(decoding: text, as: UTF8.self))
      } else if bytes.elementsEqual("null".utf8) {
        try container.encodeNil()
      } else if bytes.elementsEqual("true".utf8) || bytes.elementsEqual("false".utf8) {
        try container.encode(bytes.first == UInt8(ascii: "t"))
      } else {
        guard JSONText.isNumber(bytes) else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        if let integer = Int64(text), integer != 0 || text == "0" {
          try container.encode(integer)
        } else if !text.hasPrefix("-"), let integer = UInt64(text) {
          try container.encode(integer)
        } else if let real = Double(text) {
          try container.encode(real)
        } else {
          return false
        }
      }
      return true
    }
  }

  private static func write(_ decoder: any Decoder, to bytes: inout [UInt8]) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      bytes.append(UInt8(ascii: "{"))
      for (index, key) in container.allKeys.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Array(key.stringValue.utf8).withUnsafeBytes { JSONScalar.write(text: $0, to: &bytes) }
        bytes.append(UInt8(ascii: ":"))
        bytes += try container.decode(MagicJSON.self, forKey: key).data
      }
      bytes.append(UInt8(ascii: "}"))
    } else if var container = try? decoder.unkeyedContainer() {
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      while !container.isAtEnd {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes += try container.decode(MagicJSON.self).data
      }
      bytes.append(UInt8(ascii: "]"))
    } else {
      try write(decoder.singleValueContainer(), to: &bytes)
    }
  }

  private static func write(
    _ container: any SingleValueDecodingContainer, to bytes: inout [UInt8]
  ) throws {
    if container.decodeNil() {
      JSONScalar.write(.null, to: &bytes)
    } else if let boolean = try? container.decode(Bool.self) {
      JSONScalar.write(.boolean(boolean), to: &bytes)
    } else if let integer = try? container.decode(Int64.self),
      integer != 0 || (try? container.decode(Double.self))?.sign != .minus
    {
      JSONScalar.write(.integer(integer), to: &bytes)
    } else if let integer = try? container.decode(UInt64.self), integer != 0 {
      bytes += integer.description.utf8
    } else if let real = try? container.decode(Double.self) {
      JSONScalar.write(.real(real), to: &bytes)
    } else {
      JSONScalar.write(.text(Array(try container.decode(String.self).utf8)), to: &bytes)
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var startAddress: Int { Int(bitPattern: baseAddress) }
}
