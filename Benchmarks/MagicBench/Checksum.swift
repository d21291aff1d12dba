import Foundation

/// Sums up every value that is read, so that reading it cannot be left out.
struct Checksum: Equatable {
  private(set) var value: UInt64 = 0

  @inline(__always)
  mutating func add(
    id: String, name: String, age: Int, height: Double, nickname: String?, photo: Data
  ) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count)
    value &+= UInt64(bitPattern: Int64(age)) &+ height.bitPattern
    value &+= UInt64(nickname?.utf8.count ?? 1) &+ UInt64(photo.count)
  }

  @inline(__always)
  mutating func add(id: String, name: String, founded: Int) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count)
    value &+= UInt64(bitPattern: Int64(founded))
  }

  /// The place in the team weighs the age: members in another order give another sum.
  @inline(__always)
  mutating func add(
    place: Int, id: String, name: String, age: Int, height: Double, nickname: String?
  ) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count)
    value &+= UInt64(bitPattern: Int64(age &* place)) &+ height.bitPattern
    value &+= UInt64(nickname?.utf8.count ?? 1)
  }

  @inline(__always)
  mutating func add(
    id: String, name: String, version: String, details: String, size: Int, maintainer: String?
  ) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count) &+ UInt64(version.utf8.count)
    value &+= UInt64(details.utf8.count) &+ UInt64(bitPattern: Int64(size))
    value &+= UInt64(maintainer?.utf8.count ?? 1)
  }

  mutating func add(_ other: Checksum) { value &+= other.value }

  @inline(__always)
  mutating func add(_ number: Int) { value &+= UInt64(bitPattern: Int64(number)) }
}
