import Foundation
import MagicAssets
import MagicAsync
import MagicRelations
import MagicStore
import Testing

/// The assets of fixtures.
@Suite struct AssetTests {
  private func photo(_ number: Int, _ store: MagicObjectStore) throws -> Photo {
    try store.object(of: Photo.self, primary: number)
  }

  @Test(arguments: Fixture.withAssets) func everyFileHasItsWrittenContent(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let photos = try store.object(of: Photo.self)
      #expect(photos.map(\.number) == Rows.photos.without(Rows.photosRemoved))
      for photo in photos {
        let number = photo.number
        #expect(try photo.image.load() == Files.image(number))
        #expect(photo.image.hasValue == (Files.image(number) != nil))
        #expect((photo.caption != nil) == (Files.caption(number) != nil))
        #expect(Exact.text(try photo.caption?.load()) == Exact.text(Files.caption(number)))
        #expect(try photo.letter?.load() == Files.letter(number))
      }
    }
  }

  @Test(arguments: Fixture.withAssets) func everyFileHasItsExtension(_ fixture: Fixture) throws {
    try fixture.copy().using { store throws in
      for photo in try store.object(of: Photo.self) where photo.image.hasValue {
        let name = try #require(photo.image.path?.lastPathComponent)
        let pathExtension = Files.pathExtension(photo.number)
        #expect(name.hasSuffix("." + pathExtension) || pathExtension.isEmpty)
        #expect(name.contains(".") == !pathExtension.isEmpty)
      }
    }
  }

  @Test(arguments: Fixture.withAssets) func aSharedFileIsDeletedWithTheLastOfItsRows(
    _ fixture: Fixture
  ) throws {
    let copy = try fixture.copy()
    try copy.using { store throws in
      let count = try copy.assetCount
      let (ninth, tenth) = (try photo(9, store), try photo(10, store))
      let path = try #require(ninth.image.path)
      #expect(tenth.image.path == path)
      ninth.image = .init()
      try store.update(ninth)
      #expect(FileManager.default.fileExists(atPath: path.path))
      tenth.image = .init(value: Data([1]))
      try store.update(tenth)
      #expect(!FileManager.default.fileExists(atPath: path.path))
      #expect(try copy.assetCount == count)
      #expect(try store.verify().findings == [])
    }
  }

  /// Rows 4 and 5 shared a file; row 5 was deleted before.
  @Test(arguments: Fixture.withAssets) func theRemainingRowIsTheOnlyOwnerOfTheFile(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let path = try #require(try photo(4, store).image.path)
      try store.remove(try photo(4, store))
      #expect(!FileManager.default.fileExists(atPath: path.path))
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: Fixture.withAssets) func removingAllRemovesAllFiles(_ fixture: Fixture) throws {
    let copy = try fixture.copy()
    try copy.using { store throws in
      #expect(try copy.assetCount > 0)
      try store.removeAll(of: Photo.self)
      try store.removeAll(of: Library.self)
      try store.removeAll(of: Parcel.self)
      #expect(try copy.assetCount == 0)
      #expect(try store.verify().findings == [])
    }
  }
}

/// The lazy values of fixtures.
@Suite struct LazyTests {
  @Test(arguments: Fixture.withAssets) func everyLazyToOneRefersToItsWrittenTarget(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let libraries = try store.object(of: Library.self)
      #expect(libraries.map(\.name) == Rows.libraries.map { "library \($0)" })
      for (library, number) in zip(libraries, Rows.libraries) {
        let keeper = try library.keeper.get(in: store)
        #expect(keeper.exact == Person(number: number).exact)
        let deputy = try library.deputy?.get(in: store)
        #expect(deputy?.id == Files.deputy(number).map(Person.id))
      }
    }
  }

  @Test(arguments: Fixture.withAssets) func everyLazyCollectionHasItsMembers(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      for (library, number) in zip(try store.object(of: Library.self), Rows.libraries) {
        #expect(try library.photos.get(in: store).map(\.number) == Files.photos(number))
        let readers = try library.readers.get(in: store).map(\.id)
        #expect(readers.sorted() == Files.readers(number).map(Person.id).sorted())
        #expect(try library.titles.get(in: store).mapValues(\.number) == Files.titles(number))
        #expect(try library.years.get(in: store).mapValues(\.number) == Files.years(number))
      }
    }
  }

  @Test(arguments: Fixture.withAssets) func everyLazyFileHasItsWrittenContent(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      for (library, number) in zip(try store.object(of: Library.self), Rows.libraries) {
        let text = try library.text.get(in: store).load()
        #expect(Exact.text(text) == Exact.text(Files.text(number)))
        #expect(try library.cover?.get(in: store).load() == Files.cover(number))
      }
    }
  }
}
