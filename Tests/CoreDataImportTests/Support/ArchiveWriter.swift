import Foundation

/// Writes keyed archives as `NSKeyedArchiver` does, and binary property lists.
final class ArchiveWriter {
  indirect enum Item {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case uid(Int)
    case array([Item])
    case dictionary([(String, Item)])
  }

  /// The archived objects. The first one is the archive's null.
  private(set) var objects: [Item] = [.string("$null")]
  private var classes: [String: Int] = [:]

  /// Reserves the place of an object, so that others can refer to it before it is complete.
  func reserve() -> Int {
    objects.append(.string("$null"))
    return objects.count - 1
  }

  func add(_ item: Item) -> Item {
    objects.append(item)
    return .uid(objects.count - 1)
  }

  func string(_ text: String?) -> Item { text.map { add(.string($0)) } ?? .uid(0) }

  /// Sets a reserved object to one of a class.
  func set(_ place: Int, _ className: String, _ members: [(String, Item)]) {
    objects[place] = .dictionary(members + [("$class", classReference(className))])
  }

  func instance(_ className: String, _ members: [(String, Item)]) -> Item {
    let place = reserve()
    set(place, className, members)
    return .uid(place)
  }

  func dictionary(_ pairs: [(String, Item)]) -> Item {
    instance(
      "NSDictionary",
      [
        ("NS.keys", .array(pairs.map { string($0.0) })), ("NS.objects", .array(pairs.map(\.1))),
      ])
  }

  func array(_ items: [Item]) -> Item { instance("NSArray", [("NS.objects", .array(items))]) }

  private func classReference(_ name: String) -> Item {
    if let place = classes[name] { return .uid(place) }
    let parents =
      name.hasPrefix("NS") && name.hasSuffix("Description") ? ["NSPropertyDescription"] : []
    let place = reserve()
    classes[name] = place
    objects[place] = .dictionary([
      ("$classname", .string(name)),
      ("$classes", .array(([name] + parents + ["NSObject"]).map(Item.string))),
    ])
    return .uid(place)
  }

  func bytes(root: Item) -> [UInt8] {
    PropertyListWriter.bytes(
      .dictionary([
        ("$archiver", .string("NSKeyedArchiver")), ("$version", .integer(100_000)),
        ("$objects", .array(objects)), ("$top", .dictionary([("root", root)])),
      ]))
  }
}

/// Writes the format `bplist00`. Equal strings are one object.
struct PropertyListWriter {
  private var objects: [[UInt8]] = []
  private var strings: [String: Int] = [:]

  static func bytes(_ item: ArchiveWriter.Item) -> [UInt8] {
    var writer = PropertyListWriter()
    let top = writer.add(item)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in writer.objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += big(UInt64(offset), 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [writer.objects.count, top, table] { bytes += big(UInt64(number), 8) }
    return bytes
  }

  private static func big(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64(count - 1 - $0))) }
  }

  private static func header(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 0xF, 0x12] + big(UInt64(count), 4)
  }

  private mutating func add(_ item: ArchiveWriter.Item) -> Int {
    let place = objects.count
    if case .string(let text) = item {
      if let place = strings[text] { return place }
      strings[text] = place
    }
    objects.append([])
    switch item {
    case .bool(let bool): objects[place] = [bool ? 9 : 8]
    case .integer(let integer):
      objects[place] = [0x13] + Self.big(UInt64(bitPattern: integer), 8)
    case .real(let real): objects[place] = [0x23] + Self.big(real.bitPattern, 8)
    case .string(let text) where text.utf8.allSatisfy { $0 < 0x80 }:
      objects[place] = Self.header(5, text.utf8.count) + Array(text.utf8)
    case .string(let text):
      objects[place] =
        Self.header(6, text.utf16.count) + text.utf16.flatMap { Self.big(UInt64($0), 2) }
    case .uid(let number): objects[place] = [0x83] + Self.big(UInt64(number), 4)
    case .array(let items):
      let places = items.map { add($0) }
      objects[place] = Self.header(0xA, items.count) + places.flatMap { Self.big(UInt64($0), 4) }
    case .dictionary(let pairs):
      let keys = pairs.map { add(.string($0.0)) }
      let values = pairs.map { add($0.1) }
      objects[place] =
        Self.header(0xD, pairs.count) + (keys + values).flatMap { Self.big(UInt64($0), 4) }
    }
    return place
  }
}

/// Writes data in the format DEFLATE without compressing it.
func stored(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  var rest = bytes[...]
  repeat {
    let piece = rest.prefix(65_535)
    rest = rest.dropFirst(piece.count)
    let length = UInt16(piece.count)
    result.append(rest.isEmpty ? 1 : 0)
    for number in [length, ~length] { result += [UInt8(number & 0xFF), UInt8(number >> 8)] }
    result += piece
  } while !rest.isEmpty
  return result
}
