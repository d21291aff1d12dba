import EngineConformance
import Foundation
import MagicAssets
import MagicTestSupport
import Testing

@Suite struct AssetSavingTests {
  let scratch = Scratch()

  @Test func anAssetIsSavedAndRead() throws {
    let album = Album("Blue", notes: "recorded in 1971")
    album.cover = .init(value: Data([0, 1, 255]))
    album.label = .init(value: Label(text: "Reprise", size: 3), pathExtension: "json")
    try scratch.using { store in
      try store.update(album)
      let again = try store.object(of: Album.self, primary: "Blue")
      #expect(try again.notes.load() == "recorded in 1971")
      #expect(try again.cover.load() == Data([0, 1, 255]))
      #expect(again.label?.value == Label(text: "Reprise", size: 3))
    }
    #expect(scratch.assetFiles.count == 3)
    try scratch.using { store in
      let again = try store.object(of: Album.self, primary: "Blue")
      #expect(again.notes.value == "recorded in 1971")
      #expect(again.label?.path?.pathExtension == "json")
    }
  }

  @Test func aValueThatIsSetKeepsThePathExtension() throws {
    let album = Album("Blue")
    album.label = .init(value: Label(text: "Reprise", size: 3), pathExtension: "json")
    try scratch.using { store in try store.update(album) }
    try scratch.using { store in
      let again = try store.object(of: Album.self, primary: "Blue")
      #expect(again.label?.pathExtension == "json")
      again.label?.value = Label(text: "Asylum", size: 4)
      #expect(again.label?.pathExtension == "json")
      #expect(again.label?.path == nil)
      try store.update(again)
      #expect(again.label?.path?.pathExtension == "json")
    }
    try scratch.using { store in
      let again = try store.object(of: Album.self, primary: "Blue")
      #expect(again.label?.value == Label(text: "Asylum", size: 4))
      #expect(scratch.assetFiles.count == 1)
      again.label?.value = nil
      #expect(again.label?.hasValue == false)
      #expect(again.label?.pathExtension == nil)
      try store.update(again)
      #expect(try store.object(of: Album.self, primary: "Blue").label?.hasValue == false)
    }
    #expect(scratch.assetFiles.isEmpty)
  }

  @Test func aNewAssetHasThePathExtensionOfItsSource() {
    #expect(MagicAsset<String>().pathExtension == nil)
    #expect(MagicAsset(value: "a").pathExtension == nil)
    #expect(MagicAsset(value: "a", pathExtension: "txt").pathExtension == "txt")
    let file = URL(fileURLWithPath: "/tmp/a.png")
    #expect(MagicAsset<Data>(contentsOf: file).pathExtension == "png")
    #expect(MagicAsset<Data>(contentsOf: file, pathExtension: "jpg").pathExtension == "jpg")
    var asset = MagicAsset<String>()
    asset.value = "a"
    #expect(asset.value == "a" && asset.pathExtension == nil)
  }

  @Test func anAssetWithoutAValueHasNoFile() throws {
    try scratch.using { store in
      try store.update(Album("Empty"))
      let again = try store.object(of: Album.self, primary: "Empty")
      #expect(again.notes.value == nil)
      #expect(try again.notes.load() == nil)
      #expect(again.notes.path == nil)
      #expect(again.label == nil)
    }
    #expect(scratch.assetFiles.isEmpty)
  }

  @Test func anEmptyTextIsAValue() throws {
    try scratch.using { store in
      try store.update(Album("Blank", notes: ""))
      #expect(try store.notes("Blank") == "")
    }
    #expect(scratch.assetFiles.count == 1)
  }

  @Test func thePathIsNilBeforeTheFirstSaveAndStableUntilTheValueChanges() throws {
    try scratch.using { store in
      let album = Album("Blue", notes: "a")
      #expect(album.notes.path == nil)
      try store.update(album)
      let path = try #require(album.notes.path)
      #expect(try String(contentsOf: path, encoding: .utf8) == "a")
      #expect(path.pathExtension == "txt")
      album.year = 1971
      try store.update(album)
      #expect(album.notes.path == path)
      #expect(try store.object(of: Album.self, primary: "Blue").notes.path == path)
      album.notes = .init(value: "b")
      try store.update(album)
      #expect(album.notes.path != path)
      #expect(!FileManager.default.fileExists(atPath: path.path))
    }
  }

  @Test func theOldFileIsRemovedWhenUpdateOrRemoveReturns() throws {
    try scratch.using { store in
      let album = Album("Blue", notes: "a")
      try store.update(album)
      let first = scratch.assetFiles
      album.notes = .init(value: "b")
      try store.update(album)
      #expect(scratch.assetFiles.count == 1)
      #expect(scratch.assetFiles != first)
      try store.remove(album)
      #expect(scratch.assetFiles.isEmpty)
    }
  }

  @Test func aFailedSaveLeavesNoFileAndKeepsTheOldValue() throws {
    try scratch.using { store in
      let album = Album("Blue", notes: "a")
      try store.update(album)
      let files = scratch.assetFiles
      expect(.cannotEncode) {
        try store.transaction { transaction in
          album.notes = .init(value: "b")
          try transaction.update(album)
          let other = Album("Other")
          other.notes = .init(value: "c", pathExtension: "../x")
          try transaction.update(other)
        }
      }
      #expect(scratch.assetFiles == files)
      let notes = try store.notes("Blue")
      #expect(notes == "a")
      #expect(album.notes.value == "b")
      try store.update(album)
      #expect(try store.notes("Blue") == "b")
      #expect(scratch.assetFiles.count == 1)
    }
  }

  @Test(arguments: [
    "../x", "a/b", "a\0b", "", ".", "..", ".txt", "a..b", "ü", "a b",
    String(repeating: "x", count: 33), String(repeating: "x", count: 300),
  ])
  func otherExtensionsAreRefusedWhenSaved(_ pathExtension: String) throws {
    try scratch.using { store in
      let album = Album("Blue")
      album.notes = .init(value: "a", pathExtension: pathExtension)
      let error = #expect(throws: MagicError.self) { _ = try store.update(album) }
      #expect(error?.code == .cannotEncode)
      #expect(error?.type == "Album")
      #expect(error?.property == "notes")
      let none = try store.object(of: Album.self).isEmpty
      #expect(none)
    }
    #expect(scratch.assetFiles.isEmpty)
  }

  @Test func twoRowsMayReferToOneFile() throws {
    try scratch.using { store in
      let first = Album("First", notes: "shared")
      try store.update(first)
      let second = Album("Second")
      second.notes = try store.object(of: Album.self, primary: "First").notes
      try store.update(second)
      #expect(scratch.assetFiles.count == 1)
      try store.remove(first)
      #expect(scratch.assetFiles.count == 1)
      #expect(try store.notes("Second") == "shared")
      try store.removeAll(of: Album.self)
      #expect(scratch.assetFiles.isEmpty)
    }
  }
}
