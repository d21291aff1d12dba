public import Foundation

/// Sums up every value that is read, so that reading it cannot be left out.
public struct Checksum: Equatable, Sendable {
  @usableFromInline var value: UInt64 = 0

  /// Of nothing.
  @inlinable
  public init() {}

  /// The values of a person.
  @inlinable
  @inline(__always)
  public mutating func add(
    id: String, name: String, age: Int, height: Double, nickname: String?, photo: Data
  ) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count)
    value &+= UInt64(bitPattern: Int64(age)) &+ height.bitPattern
    value &+= UInt64(nickname?.utf8.count ?? 1) &+ UInt64(photo.count)
  }

  /// The values of a team.
  @inlinable
  @inline(__always)
  public mutating func add(id: String, name: String, founded: Int) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count)
    value &+= UInt64(bitPattern: Int64(founded))
  }

  /// The values of a member. The place in the team weighs the age: members in another order give another sum.
  @inlinable
  @inline(__always)
  public mutating func add(
    place: Int, id: String, name: String, age: Int, height: Double, nickname: String?
  ) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count)
    value &+= UInt64(bitPattern: Int64(age &* place)) &+ height.bitPattern
    value &+= UInt64(nickname?.utf8.count ?? 1)
  }

  /// The values of a package.
  @inlinable
  @inline(__always)
  public mutating func add(
    id: String, name: String, version: String, details: String, size: Int, maintainer: String?
  ) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count) &+ UInt64(version.utf8.count)
    value &+= UInt64(details.utf8.count) &+ UInt64(bitPattern: Int64(size))
    value &+= UInt64(maintainer?.utf8.count ?? 1)
  }

  /// All that another has summed up.
  @inlinable
  public mutating func add(_ other: Checksum) { value &+= other.value }

  /// A number.
  @inlinable
  @inline(__always)
  public mutating func add(_ number: Int) { value &+= UInt64(bitPattern: Int64(number)) }
}
