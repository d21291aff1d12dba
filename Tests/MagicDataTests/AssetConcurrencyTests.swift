import Foundation
import MagicData
import MagicTestSupport
import Testing

private struct Picture: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var image: MagicAsset<Data> = .init()

  init() {}
  init(_ name: String, _ image: Data) {
    self.name = name
    self.image = .init(value: image)
  }
}

@Suite struct AssetConcurrencyTests {
  let scratch = Scratch()

  private func files() -> [String] {
    scratch.names.filter {
      $0.contains("-assets/") && $0.split(separator: "/").count == 3 && !$0.hasSuffix("~")
    }
  }

  @Test func concurrentSavesShareCommitsAndLoseNoChange() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<12 {
            let picture = Picture("\(task)", Data("\(task) \(round)".utf8))
            try await magic.update(picture)
            if round % 4 == 3 { try await magic.remove(picture) }
            // A save that fails between the others.
            let refused = Picture("\(task) refused", Data())
            refused.image = .init(value: Data(), pathExtension: "/")
            await #expect(throws: MagicError.self) { _ = try await magic.update(refused) }
          }
          try await magic.update(Picture("\(task)", Data("\(task) last".utf8)))
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<40 {
            for picture in try await magic.object(of: Picture.self) {
              // A file that was replaced meanwhile is missing. Its content is never another's.
              guard let image = picture.image.value else { continue }
              #expect(String(decoding: image, as: UTF8.self).hasPrefix(picture.name + " "))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let pictures = try await magic.object(of: Picture.self)
    #expect(pictures.count == 8)
    for picture in pictures {
      #expect(try picture.image.load() == Data("\(picture.name) last".utf8))
    }
    #expect(files().count == 8)
    await magic.close()
    #expect(files().count == 8)
  }

  @Test func tasksMaySaveOneStreamedAssetAtOnce() async throws {
    let magic = try await MagicData(path: scratch.file())
    // The table exists, so that no task creates it.
    try await magic.update(Picture("first", Data()))
    for round in 0..<10 {
      let bytes = Data("\(round)".utf8)
      let stream = AsyncStream<Data> {
        $0.yield(bytes)
        $0.finish()
      }
      let image: MagicAsset<Data> = try await magic.asset(streaming: stream)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            let picture = Picture()
            picture.name = "\(round) \(task)"
            picture.image = image
            try await magic.update(picture)
          }
        }
        try await group.waitForAll()
      }
      for task in 0..<8 {
        let picture = try await magic.object(of: Picture.self, primary: "\(round) \(task)")
        #expect(try picture.image.load() == bytes)
      }
      #expect(files().count == 2 + round)
    }
    await magic.close()
    #expect(files().count == 11)
  }

  @Test func bulkChangesAndRawSQLRemoveFilesWhenTheyReturn() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (0..<10).map { Picture("\($0)", Data("\($0)".utf8)) })
    #expect(files().count == 10)
    try await magic.query(Picture.self).where(\.$name < "3").delete()
    #expect(files().count == 7)
    try await magic.sql("DELETE FROM Picture WHERE name = \("3")").run()
    #expect(files().count == 6)
    try await magic.sql("UPDATE Picture SET image = '' WHERE name = \("4")").run()
    #expect(files().count == 5)
    let seven = try await magic.object(of: Picture.self, primary: "7")
    try await magic.query(Picture.self).where(\.$name == "8").update(set: \.$image, to: seven.image)
    #expect(files().count == 4)
    let eight = try await magic.object(of: Picture.self, primary: "8")
    #expect(try eight.image.load() == Data("7".utf8))
    try await magic.removeAll(of: Picture.self)
    #expect(files().isEmpty)
    await magic.close()
  }

  @Test func selectedAssetsAreReadFromTheirFiles() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (0..<3).map { Picture("\($0)", Data("\($0)".utf8)) })
    let images = try await magic.query(Picture.self).order(by: \.$name).select(\.$image).all()
    #expect(try images.map { try $0.load() } == (0..<3).map { Data("\($0)".utf8) })
    let rows = try await magic.sql("SELECT image FROM Picture ORDER BY name")
      .rows(MagicAsset<Data>.self)
    #expect(try rows[2].load() == Data("2".utf8))
    await magic.close()
  }

  @Test func anUnsavedAssetCannotBeAValueOfAQuery() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(Picture("a", Data()))
    let error = await #expect(throws: MagicError.self) {
      try await magic.query(Picture.self).update(set: \.$image, to: MagicAsset(value: Data()))
    }
    #expect(error?.code == .cannotEncode)
    await magic.close()
  }

  @Test func twoDatabasesOnOneFileShareTheirFolder() async throws {
    let first = try await MagicData(path: scratch.file())
    let second = try await MagicData(path: scratch.file())
    try await first.update(Picture("a", Data("1".utf8)))
    try await second.update(Picture("b", Data("2".utf8)))
    #expect(Set(files().map { $0.split(separator: "/")[1] }).count == 1)
    await first.close()
    let pictures = try await second.object(of: Picture.self)
    #expect(try pictures.map { try $0.image.load() } == [Data("1".utf8), Data("2".utf8)])
    await second.close()
  }
}
