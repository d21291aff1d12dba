import Foundation
import MagicData
import Testing

/// An asset has changed if its row refers to another file.
@Suite struct ExactAssetTests {
  struct Picture: MagicObject {
    @PrimaryMagicValue var id: Int
    @MagicValue var image: MagicAsset<Data>
    @OptionMagicValue var caption: MagicAsset<String>?

    init() { image = .init() }
  }

  @Test func aNewValueIsAChangeOfItsColumn() async throws {
    let magic = try await MagicData(type: .temporary)
    let texts = try await reported(Picture.self, in: magic) {
      let picture = Picture()
      picture.image = .init(value: Data([1, 2, 3]))
      try await $0.update(picture)
      picture.image = .init(value: Data([4]), pathExtension: "bin")
      try await $0.update(picture)
      try await $0.update(picture)
      picture.caption = .init(value: "c")
      try await $0.update(picture)
      picture.caption = nil
      picture.image = .init()
      try await $0.update(picture)
    }
    #expect(texts == ["+1", "1:image", "1:caption", "1:image,caption"])
  }

  @Test func removingARowWithFilesIsItsDeletion() async throws {
    let magic = try await MagicData(type: .temporary)
    let pictures = (1...2).map { number in
      let picture = Picture()
      picture.image = .init(value: Data([UInt8(number)]))
      return picture
    }
    try await magic.update(contentsOf: pictures)
    let texts = try await reported(Picture.self, in: magic) {
      try await $0.remove(pictures[0])
      try await $0.sql("DELETE FROM \(table: Picture.self)").run()
    }
    #expect(texts == ["-1", "-2"])
  }

  @Test func anUnsavedFileIsNoChange() async throws {
    let magic = try await MagicData(type: .temporary)
    let picture = Picture()
    try await magic.update(picture)
    let texts = try await reported(Picture.self, in: magic) { magic async throws in
      picture.image = .init(value: Data([1]))
      await #expect(throws: ExactFailure.self) {
        try await magic.transaction { transaction in
          try transaction.update(picture)
          throw ExactFailure()
        }
      }
      try await magic.update(picture)
    }
    #expect(texts == ["1:image"])
  }
}
