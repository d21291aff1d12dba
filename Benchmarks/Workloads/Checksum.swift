public import Foundation

/// A checksum of all fetched values, so that no engine can skip reading a value.
public struct Checksum: Equatable, Sendable {
  @usableFromInline var value: UInt64 = 0

  /// Creates the checksum of no values.
  @inlinable
  public init() {}

  /// Adds the values of a person.
  @inlinable
  @inline(__always)
  public mutating func add(
    id: String, name: String, age: Int, height: Double, nickname: String?,
    photo: some Collection<UInt8>
  ) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count)
    value &+= UInt64(bitPattern: Int64(age)) &+ height.bitPattern
    value &+= UInt64(nickname?.utf8.count ?? 1) &+ UInt64(photo.count)
  }

  /// Adds two values of a person.
  @inlinable
  @inline(__always)
  public mutating func add(name: String, age: Int) {
    value &+= UInt64(name.utf8.count) &+ UInt64(bitPattern: Int64(age))
  }

  /// Adds the values of a team.
  @inlinable
  @inline(__always)
  public mutating func add(id: String, name: String, founded: Int) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count)
    value &+= UInt64(bitPattern: Int64(founded))
  }

  /// Adds the values of a member. The age is multiplied by the position in the team, so that
  /// another order has another checksum.
  @inlinable
  @inline(__always)
  public mutating func add(
    place: Int, id: String, name: String, age: Int, height: Double, nickname: String?
  ) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count)
    value &+= UInt64(bitPattern: Int64(age &* place)) &+ height.bitPattern
    value &+= UInt64(nickname?.utf8.count ?? 1)
  }

  /// Adds the values of a package.
  @inlinable
  @inline(__always)
  public mutating func add(
    id: String, name: String, version: String, details: String, size: Int, maintainer: String?
  ) {
    value &+= UInt64(id.utf8.count) &+ UInt64(name.utf8.count) &+ UInt64(version.utf8.count)
    value &+= UInt64(details.utf8.count) &+ UInt64(bitPattern: Int64(size))
    value &+= UInt64(maintainer?.utf8.count ?? 1)
  }

  /// Adds the values of a found article.
  @inlinable
  @inline(__always)
  public mutating func add(
    place: Int, number: Int, title: String, body: String, score: Double
  ) {
    value &+= UInt64(title.utf8.count) &+ UInt64(body.utf8.count) &+ score.bitPattern
    value &+= UInt64(bitPattern: Int64(number &* place))
  }

  /// Adds the number of a found passage and the first number of its vector.
  @inlinable
  @inline(__always)
  public mutating func add(place: Int, number: Int, first: Float) {
    value &+= UInt64(bitPattern: Int64(number &* (place + 1))) &+ UInt64(first.bitPattern)
  }

  /// Adds the values of a parcel. Of the price, the exponent.
  @inlinable
  @inline(__always)
  public mutating func add(
    key: UUID, state: String, size: Int, price: Decimal, sent: Date, isFragile: Bool,
    isInsured: Bool
  ) {
    value &+= UInt64(key.uuid.0) &+ UInt64(key.uuid.15) &* 256
    value &+= UInt64(state.utf8.count) &+ UInt64(bitPattern: Int64(size &* 1_000))
    value &+= UInt64(bitPattern: Int64(price.exponent)) &+ sent.timeIntervalSince1970.bitPattern
    value &+= (isFragile ? 3 : 0) &+ (isInsured ? 5 : 0)
  }

  /// Adds a book with its key.
  @inlinable
  @inline(__always)
  public mutating func add(key: String, title: String, pages: Int) {
    value &+= UInt64(key.utf8.count) &+ UInt64(title.utf8.count)
    value &+= UInt64(bitPattern: Int64(pages))
  }

  /// Adds another checksum.
  @inlinable
  public mutating func add(_ other: Checksum) { value &+= other.value }

  /// Adds a real number.
  @inlinable
  @inline(__always)
  public mutating func add(_ number: Double) { value &+= number.bitPattern }

  /// Adds a number.
  @inlinable
  @inline(__always)
  public mutating func add(_ number: Int) { value &+= UInt64(bitPattern: Int64(number)) }
}
