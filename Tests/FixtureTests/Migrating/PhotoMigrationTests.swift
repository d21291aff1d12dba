import Foundation
import MagicAssets
import MagicAsync
import MagicDataTesting
import MagicRelations
import MagicStore
import Testing

/// Migrations of assets and lazy values, in a file of each version that has them.
@Suite struct PhotoMigrationTests {
  @Test(arguments: Fixture.withAssets) func everyRemainingFileHasItsWrittenContent(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Photo.self)
    try copy.using { store throws in
      let photos = try store.object(of: Later.Photo.self)
      #expect(photos.map(\.number) == Rows.photos.without(Rows.photosRemoved))
      for photo in photos {
        #expect(try photo.image?.load() == Files.image(photo.number))
        #expect(Exact.text(photo.caption) == Exact.text(Files.caption(photo.number)))
        #expect(try photo.remark.load() == "new")
      }
      let photo = Later.Photo()
      #expect(try store.update(photo).rawValue == Int64(Rows.photos.upperBound + 1))
    }
  }

  @Test(arguments: Fixture.withAssets) func theFilesOfDeletedPropertiesAreDeleted(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    let before = try copy.assetCount
    try await copy.migrate(Later.Photo.self)
    let rows = Rows.photos.without(Rows.photosRemoved)
    let removed =
      rows.count { Files.caption($0) != nil } + rows.count { Files.letter($0) != nil }
    // All rows share the file of the new property.
    #expect(try copy.assetCount == before - removed + 1)
    try copy.using { store throws in
      let tenth = try store.object(of: Later.Photo.self, primary: 10)
      let path = try #require(tenth.image?.path)
      tenth.image = nil
      try store.update(tenth)
      #expect(FileManager.default.fileExists(atPath: path.path))
      let ninth = try store.object(of: Later.Photo.self, primary: 9)
      try store.remove(ninth)
      #expect(!FileManager.default.fileExists(atPath: path.path))
      try store.removeAll(of: Later.Photo.self)
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: Fixture.withAssets) func everyLibraryHasItsExpectedValues(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Library.self)
    try copy.using { store throws in
      let libraries = try store.object(of: Later.Library.self)
      #expect(libraries.map(\.name) == Rows.libraries.map { "library \($0)" })
      for (library, number) in zip(libraries, Rows.libraries) {
        #expect(library.keeper.id == Person.id(number))
        let deputies = try library.deputies.get(in: store).map(\.id)
        #expect(deputies == (Files.deputy(number).map { [Person.id($0)] } ?? []))
        let photos = try library.photos.get(in: store).map(\.number)
        #expect(photos.sorted() == Set(Files.photos(number)).sorted())
        let readers = try library.readers.get(in: store).map(\.id)
        #expect(readers == Files.readers(number).sorted().map(Person.id))
        let pictures = try library.pictures.get(in: store).mapValues(\.number)
        #expect(pictures == Files.titles(number))
        #expect(Exact.text(try library.story?.load()) == Exact.text(Files.text(number)))
        let cover = try library.cover.get(in: store).load()
        #expect(cover == Files.cover(number) ?? Data([7]))
      }
    }
  }

  @Test(arguments: Fixture.withAssets) func removingAllRemovesAllFiles(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Library.self, Later.Photo.self)
    try copy.using { store throws in
      try store.removeAll(of: Later.Library.self)
      try store.removeAll(of: Later.Photo.self)
    }
    let parcels = Fixture.withMigrations.contains(fixture) ? 18 : 0
    #expect(try copy.assetCount == parcels)
  }
}

/// A migration of a table that earlier migrations have changed.
@Suite struct ParcelMigrationTests {
  @Test(arguments: Fixture.withMigrations) func onlyStepsAfterThoseOfTheFileRun(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    let plan = try await copy.migrate(Later.Parcel.self)
    #expect(plan.kind == .rewriting)
    try copy.using { store throws in
      let parcels = try store.object(of: Later.Parcel.self)
      let numbers = Rows.parcels.without(Rows.parcelsRemoved)
      #expect(parcels.map(\.number) == numbers)
      for (parcel, number) in zip(parcels, numbers) {
        let old = Parcel(number: number)
        #expect(parcel.kilograms == Double(number) / 8)
        #expect(Exact.text(parcel.sender) == Exact.text(old.sender ?? "unknown"))
        #expect(Exact.text(parcel.content) == Exact.text(old.content))
        #expect(
          parcel.stamps.map(\.value) == Set(Parcels.stamps(number)).sorted().map { Double($0) })
        #expect(parcel.rate == old.rates[0])
        let receipt = number > 20 ? nil : Parcels.receipt(number)
        #expect(Exact.text(try parcel.slip?.load()) == Exact.text(receipt))
      }
      let parcel = Later.Parcel(rate: 1)
      #expect(try store.update(parcel).rawValue == Int64(Rows.parcels.upperBound + 1))
      #expect(parcel.number == Rows.parcels.upperBound + 1)
    }
  }
}
