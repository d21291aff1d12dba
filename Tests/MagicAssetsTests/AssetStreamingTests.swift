import EngineConformance
import Foundation
import MagicAssets
import MagicData
import MagicTestSupport
import Testing

@Suite(.everyEngine, .requires(.assets)) struct AssetStreamingTests {
  let scratch = Scratch()

  /// Bytes without repetition.
  private static let bytes = Data(
    (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })

  private func source() throws -> URL {
    let url = URL(fileURLWithPath: scratch.file("film.mov"))
    try Self.bytes.write(to: url)
    return url
  }

  private func pieces(of size: Int) -> AsyncStream<Data> {
    AsyncStream { continuation in
      for start in stride(from: 0, to: Self.bytes.count, by: size) {
        continuation.yield(Self.bytes[start..<min(start + size, Self.bytes.count)])
      }
      continuation.finish()
    }
  }

  private func withStore(_ body: (MagicObjectStore) async throws -> Void) async throws {
    let store = try scratch.open()
    try await body(store)
    store.close()
  }

  private func save(_ cover: MagicAsset<Data>, in store: MagicObjectStore) throws -> Album {
    let album = Album("a")
    album.cover = cover
    try update(album, in: store)
    return try store.object(of: Album.self, primary: "a")
  }

  private func update(_ album: Album, in store: MagicObjectStore) throws {
    _ = try store.update(album)
  }

  /// Writes an album in a transaction that is rolled back.
  private func updateAndStop(_ album: Album, in store: MagicObjectStore) throws {
    try store.transaction { transaction in
      _ = try transaction.update(album)
      throw Stop()
    }
  }

  /// Fails to write an album in a transaction that is then committed.
  private func updateInVain(_ album: Album, in store: MagicObjectStore, again: Bool) throws {
    try store.transaction { transaction in
      do {
        _ = try transaction.update(album)
        Issue.record("a bad extension was taken")
      } catch let error as MagicError {
        #expect(error.code == .cannotEncode)
      }
      guard again else { return }
      album.label = nil
      _ = try transaction.update(album)
    }
  }

  private struct Stop: Error {}

  @Test func aFileIsCopiedWithItsExtension() async throws {
    let source = try source()
    try await withStore { store in
      let found = try save(MagicAsset(contentsOf: source), in: store)
      #expect(found.cover.pathExtension == "mov")
      #expect(try found.cover.load() == Self.bytes)
    }
    #expect(FileManager.default.fileExists(atPath: source.path))
  }

  #if os(Linux)
    /// Files of the system report that they are empty.
    @Test func aFileIsCopiedToItsEndForAnyReportedSize() async throws {
      try await withStore { store in
        let file = URL(fileURLWithPath: "/proc/cpuinfo")
        let copied = try await MagicData(store: store).asset(contentsOf: file).load()
        let saved = try save(MagicAsset(contentsOf: file), in: store).cover.load()
        #expect(copied?.isEmpty == false)
        #expect(saved?.isEmpty == false)
      }
    }
  #endif

  @Test func aMissingFileIsRefusedAndNothingIsSaved() async throws {
    try await withStore { store in
      let missing = URL(fileURLWithPath: scratch.file("nothing"))
      let error = #expect(throws: MagicError.self) {
        _ = try save(MagicAsset(contentsOf: missing), in: store)
      }
      #expect(error?.code == .inputOutput)
      #expect(error?.property == "cover")
      let later = await #expect(throws: MagicError.self) {
        _ = try await MagicData(store: store).asset(contentsOf: missing)
      }
      #expect(later?.code == .inputOutput)
    }
    scratch.expectAssets(0)
  }

  @Test func aFileIsCopiedBeforeItsObjectIsSaved() async throws {
    let source = try source()
    try await withStore { store in
      let asset = try await MagicData(store: store).asset(contentsOf: source)
      try FileManager.default.removeItem(at: source)
      #expect(asset.path == nil)
      #expect(try asset.size == Self.bytes.count)
      let found = try save(asset, in: store)
      #expect(found.cover.pathExtension == "mov")
      #expect(asset.path == found.cover.path)
      #expect(try found.cover.load() == Self.bytes)
      scratch.expectAssets(1)
    }
  }

  @Test(arguments: [1_000, 100_000, 300_000, 2_000_000])
  func aStreamBecomesAnAsset(_ size: Int) async throws {
    try await withStore { store in
      let asset = try await MagicData(store: store).asset(
        streaming: pieces(of: size), pathExtension: "bin")
      #expect(try asset.load() == Self.bytes)
      let found = try save(asset, in: store)
      #expect(try found.cover.load() == Self.bytes)
      #expect(found.cover.pathExtension == "bin")
    }
  }

  @Test func anEmptyStreamIsAnEmptyValue() async throws {
    try await withStore { store in
      let nothing = AsyncStream<Data> { $0.finish() }
      let found = try save(await MagicData(store: store).asset(streaming: nothing), in: store)
      #expect(try found.cover.load() == Data())
    }
  }

  @Test func aFailedStreamLeavesNothing() async throws {
    struct Broken: Error {}
    try await withStore { store in
      let stream = AsyncThrowingStream<Data, any Error> { continuation in
        continuation.yield(Data(count: 500_000))
        continuation.finish(throwing: Broken())
      }
      await #expect(throws: Broken.self) {
        _ = try await MagicData(store: store).asset(streaming: stream)
      }
      scratch.expectAssets(0)
    }
  }

  @Test func theFileOfAnUnsavedAssetIsRemovedWhenItIsReleased() async throws {
    try await withStore { store in
      do {
        let asset = try await MagicData(store: store).asset(streaming: pieces(of: 1_000))
        scratch.expectAssets(1)
        _ = asset
      }
      scratch.expectAssets(0)
    }
  }

  @Test func aStreamedAssetIsUsableAfterARollback() async throws {
    try await withStore { store in
      let album = Album("a")
      album.cover = try await MagicData(store: store).asset(streaming: pieces(of: 1_000))
      #expect(throws: Stop.self) { try updateAndStop(album, in: store) }
      #expect(try album.cover.load() == Self.bytes)
      let found = try save(album.cover, in: store)
      #expect(try found.cover.load() == Self.bytes)
      scratch.expectAssets(1)
    }
  }

  @Test(arguments: [false, true])
  func aStreamedAssetIsUsableAfterAFailedVerb(_ isSavedAtOnce: Bool) async throws {
    try await withStore { store in
      let album = Album("a")
      album.cover = try await MagicData(store: store).asset(streaming: pieces(of: 1_000))
      album.label = .init(value: Label(text: "Reprise", size: 3), pathExtension: "../x")
      try updateInVain(album, in: store, again: isSavedAtOnce)
      let found = try save(album.cover, in: store)
      #expect(try found.cover.load() == Self.bytes)
      scratch.expectAssets(1)
    }
    scratch.expectAssets(1)
  }

  @Test func aStreamedAssetCanBeSavedIntoAnotherDatabase() async throws {
    let other = Scratch()
    try await withStore { store in
      let asset = try await MagicData(store: store).asset(streaming: pieces(of: 1_000))
      let second = try other.open()
      let found = try save(asset, in: second)
      #expect(try found.cover.load() == Self.bytes)
      second.close()
    }
    other.expectAssets(1)
    scratch.expectAssets(0)
  }

  @Test func anExtensionIsCheckedBeforeTheStreamIsRead() async throws {
    try await withStore { store in
      let error = await #expect(throws: MagicError.self) {
        _ = try await MagicData(store: store).asset(
          streaming: pieces(of: 1_000), pathExtension: "../x")
      }
      #expect(error?.code == .cannotEncode)
    }
  }

  @Test func aCancelledStreamEndsAndLeavesNothing() async throws {
    try await withStore { store in
      let task = Task {
        let endless = AsyncStream<Data> { Data(count: 100_000) }
        _ = try await MagicData(store: store).asset(streaming: endless)
      }
      try await Task.sleep(nanoseconds: 20_000_000)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      scratch.expectAssets(0)
    }
  }

  @Test(arguments: [1, 1_000, 65_536, 1_000_000, 5_000_000])
  func allChunksTogetherAreTheContent(_ size: Int) async throws {
    let part = size == 1 ? Self.bytes.prefix(2_000) : Self.bytes
    try await withStore { store in
      let found = try save(MagicAsset(value: part), in: store)
      var read = Data()
      for try await chunk in found.cover.chunks(ofSize: size) {
        #expect(chunk.count <= size)
        read.append(chunk)
      }
      #expect(read == part)
    }
  }

  @Test func anAssetWithoutAValueHasNoChunks() async throws {
    for try await _ in MagicAsset<Data>().chunks() { Issue.record("a chunk of nothing") }
  }

  @Test(.requires(.files)) func chunksOfAMissingFileThrow() async throws {
    try await withStore { store in
      let found = try save(MagicAsset(value: Self.bytes), in: store)
      try FileManager.default.removeItem(at: #require(found.cover.path))
      let error = await #expect(throws: MagicError.self) {
        for try await _ in found.cover.chunks() {}
      }
      #expect(error?.code == .assetMissing)
    }
  }

  @Test(.requires(.files)) func readingContinuesIfTheAssetIsReplacedMeanwhile() async throws {
    try await withStore { store in
      let album = try save(MagicAsset(value: Self.bytes), in: store)
      let reader = try album.cover.open()
      album.cover = .init(value: Data("other".utf8))
      try update(album, in: store)
      scratch.expectAssets(1)
      #expect(try reader.read(10..<20) == Self.bytes[10..<20])
      #expect(reader.size == Self.bytes.count)
    }
  }

  @Test func aReaderReadsPartsAndNothingAfterTheEnd() async throws {
    try await withStore { store in
      let reader = try save(MagicAsset(value: Self.bytes), in: store).cover.open()
      #expect(try reader.read(0..<3) == Self.bytes[0..<3])
      #expect(try reader.read(999_990..<2_000_000) == Self.bytes[999_990...])
      #expect(try reader.read(5_000_000..<5_000_001).isEmpty)
      #expect(try reader.read(7..<7).isEmpty)
      #expect(throws: MagicError.self) { _ = try reader.read(-1..<3) }
      reader.close()
      #expect(throws: MagicError.self) { _ = try reader.read(0..<3) }
      #expect(throws: MagicError.self) { _ = try MagicAsset<Data>().open() }
    }
  }

  @Test func anUnsavedValueIsReadLikeASavedOne() async throws {
    let asset = MagicAsset(value: Self.bytes)
    #expect(try asset.size == Self.bytes.count)
    #expect(try asset.open().read(5..<9) == Self.bytes[5..<9])
    var read = Data()
    for try await chunk in asset.chunks(ofSize: 300_000) { read.append(chunk) }
    #expect(read == Self.bytes)
  }
}
