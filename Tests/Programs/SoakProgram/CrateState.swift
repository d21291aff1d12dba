import Foundation
import MagicData
import MagicTestSupport

/// The state of a crate that a task has saved.
struct CrateState: Equatable, Sendable {
  let number: Int
  let task: Int
  var rank = 0
  var code: String?
  var label: Int
  var parcels: [Int] = []
  var shelves: [String: Int] = [:]
  var tags: Set<Int> = []
  var stock: [Int] = []
  var version = 0
  var hasNotes = false

  init(_ number: Int, of task: Int, label: Int) {
    self.number = number
    self.task = task
    self.label = label
  }

  /// Reads the state of a crate, with its files and its lazy members.
  init(_ crate: Crate, reading stock: [Parcel]) throws {
    number = crate.number
    task = crate.task
    rank = crate.rank
    code = crate.code
    label = crate.label.number
    try Self.check(crate.label.text == "label \(label)", "a label has another's text")
    parcels = crate.parcels.map(\.number)
    shelves = crate.shelves.mapValues(\.number)
    tags = Set(crate.tags.map(\.number))
    self.stock = stock.map(\.number)
    version = crate.version
    hasNotes = crate.notes != nil
    for parcel in crate.parcels + crate.shelves.values + stock {
      try Self.check(parcel.text == "parcel \(parcel.number)", "a parcel has another's text")
    }
    let photo = try crate.photo.load()
    try Self.check(photo == (version == 0 ? nil : Self.photo(version)), "another photo")
    if hasNotes { try Self.check(try crate.notes?.load() == Self.notes(number), "other notes") }
  }

  static func read(_ crate: Crate) async throws -> CrateState {
    try CrateState(crate, reading: try await crate.stock.get())
  }

  private static func check(_ isTrue: Bool, _ text: String) throws {
    guard isTrue else { throw Finding("torn: \(text)") }
  }

  /// The content of the photo of a version: empty, small, or longer than one chunk.
  static func photo(_ version: Int) -> Data {
    let size =
      switch version {
      case _ where version % 13 == 0: 0
      case _ where version % 29 == 0: 300_000 + version % 10
      case _ where version % 7 == 0: 30_000 + version % 1_000
      default: 1 + version &* 7_919 % 2_500
      }
    var random = SeededRandom(UInt64(version))
    return random.data(count: size)
  }

  static func notes(_ number: Int) -> String { "notes of crate \(number)" }

  /// The numbers of all parcels.
  var allParcels: [Int] { parcels + shelves.values + stock }
}
