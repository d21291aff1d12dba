import MagicData
import Workloads

extension MagicDataEngine {
  func insertParcels(_ parcels: [PlainParcel]) -> Job { inserting(parcels.map(Parcel.init)) }

  func fetchParcels() -> Job {
    { _ in
      var checksum = Checksum()
      for parcel in try await magic.object(of: Parcel.self) {
        checksum.add(
          key: parcel.key, state: parcel.state.rawValue, size: parcel.size.rawValue,
          price: parcel.price, sent: parcel.sent, isFragile: parcel.isFragile,
          isInsured: parcel.isInsured)
      }
      return checksum
    }
  }

  func insertReadings(_ readings: [PlainReading]) -> Job { inserting(readings.map(Reading.init)) }

  func fetchReadings() -> Job {
    { _ in
      var checksum = Checksum()
      for reading in try await magic.object(of: Reading.self) {
        checksum.add(reading.number)
        reading.forEach { checksum.add($0 ?? 1) }
      }
      return checksum
    }
  }

  func insertShelves(_ shelves: [PlainShelf]) -> Job { inserting(shelves.map(Shelf.init)) }

  func fetchShelves() -> Job {
    { _ in
      var checksum = Checksum()
      for shelf in try await magic.object(of: Shelf.self) {
        checksum.add(shelf.room.utf8.count)
        for (key, book) in shelf.books {
          checksum.add(key: key, title: book.title, pages: book.pages)
        }
      }
      return checksum
    }
  }

  func insertTree(_ tree: PlainTree) -> Job { inserting([Folder(0, of: tree)]) }

  func fetchTree() -> Job {
    { _ in
      var checksum = Checksum()
      for folder in try await magic.object(of: Folder.self) {
        checksum.add(folder.name.utf8.count)
        for subfolder in folder.subfolders { checksum.add(subfolder.name.utf8.count) }
      }
      return checksum
    }
  }

  func sortPeople(by comparison: Comparison) async throws -> Job {
    let people = try await magic.object(of: Person.self)
    return { _ in
      let sorted =
        switch comparison {
        case .closure: people.sorted { $0.name < $1.name }
        case .property: people.sorted(by: \.name)
        }
      var checksum = Checksum()
      for (place, person) in sorted.enumerated() {
        checksum.add(place &* person.age)
      }
      return checksum
    }
  }

  private func inserting<Object: MagicObject & Sendable>(_ objects: [Object]) -> Job {
    { _ in
      try await magic.update(contentsOf: objects)
      return Checksum()
    }
  }
}
