import MagicFiles
import Testing

@Suite struct AssetNameTests {
  @Test func aNameTellsItsParts() throws {
    let name = try #require(AssetName("3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1a2b.txt"))
    #expect(name.batch == "3f9c07a1b2d4e586")
    #expect(name.file == "0b7e5c1d9a3f4826-1a2b.txt")
    #expect(name.size == 0x1a2b)
    #expect(name.pathExtension == "txt")
  }
}
