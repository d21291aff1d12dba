import MagicFiles
import Testing

@Suite struct AssetNameTests {
  private let batch = "3f9c07a1b2d4e586"
  private let digits = "0b7e5c1d9a3f4826"

  @Test func aNameHasItsParts() throws {
    let name = try #require(AssetName("3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1a2b.txt"))
    #expect(name.batch == "3f9c07a1b2d4e586")
    #expect(name.file == "0b7e5c1d9a3f4826-1a2b.txt")
    #expect(name.size == 0x1a2b)
    #expect(name.pathExtension == "txt")
    #expect(name.description == "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1a2b.txt")
  }

  @Test func theExtensionMayBeMissing() throws {
    let name = try #require(AssetName("\(batch)/\(digits)-0"))
    #expect(name.pathExtension == nil)
    #expect(name.size == 0)
  }

  @Test func theExtensionMayHaveDots() throws {
    let name = try #require(AssetName("\(batch)/\(digits)-1.tar.gz"))
    #expect(name.pathExtension == "tar.gz")
  }

  @Test func theMaximumSizeIsThatOfAnInteger() {
    #expect(AssetName("\(batch)/\(digits)-7fffffffffffffff")?.size == Int.max)
    #expect(AssetName("\(batch)/\(digits)-8000000000000000") == nil)
    #expect(AssetName("\(batch)/\(digits)-ffffffffffffffff") == nil)
    #expect(AssetName("\(batch)/\(digits)-10000000000000000") == nil)
  }

  @Test(arguments: [
    "", ".", "..", "/", "a", "../x", "/etc/passwd", "a/../../x", "\0", "hold",
    "3f9c07a1b2d4e586", "3f9c07a1b2d4e586/", "3f9c07a1b2d4e586.open",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826~",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-.txt",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1.", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1..txt",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1.a..b", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1./x",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1.txt/x", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1.a b",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1.\0", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1\0",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826--1", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-+1",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-01", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1A",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-0x1", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1 ",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f482-1", "3f9c07a1b2d4e586/0b7e5c1d9a3f48260-1",
    "3f9c07a1b2d4e58/0b7e5c1d9a3f4826-1", "3f9c07a1b2d4e5860/0b7e5c1d9a3f4826-1",
    "3F9C07A1B2D4E586/0b7e5c1d9a3f4826-1", "3f9c07a1b2d4e586/0B7E5C1D9A3F4826-1",
    "3g9c07a1b2d4e586/0b7e5c1d9a3f4826-1", "3f9c07a1b2d4e586//b7e5c1d9a3f4826-1",
    "3f9c07a1b2d4e586\\0b7e5c1d9a3f4826-1", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826_1",
    "/f9c07a1b2d4e586/0b7e5c1d9a3f4826-1", "./3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1",
    "../9c07a1b2d4e586/0b7e5c1d9a3f4826-1", "............../../0b7e5c1d9a3f4826-1",
    "3f9c07a1b2d4e586/../c1d9a3f48260-1", " 3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1\n", "3f9c07a1b2d4e58６/0b7e5c1d9a3f4826-1",
    "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1.é", "3f9c07a1b2d4e586/0b7e5c1d9a3f4826-1\u{301}",
  ])
  func textsOfAnotherFormAreNotNames(_ text: String) {
    #expect(AssetName(text) == nil)
  }

  @Test func threeHundredCharactersAreNotAName() {
    #expect(AssetName(String(repeating: "a", count: 300)) == nil)
    #expect(AssetName("\(batch)/\(digits)-1." + String(repeating: "a", count: 300)) == nil)
    #expect(AssetName("\(batch)/\(digits)-" + String(repeating: "0", count: 300)) == nil)
  }

  /// After a change of any character the name is still in its batch, or invalid.
  @Test func noChangeOfOneCharacterIsAPathOutsideTheFolder() {
    let good = Array("\(batch)/\(digits)-1a2b.txt".utf8)
    var taken = 0
    for index in good.indices {
      for byte in UInt8(0)...127 {
        var bytes = good
        bytes[index] = byte
        guard let name = AssetName(String(decoding: bytes, as: UTF8.self)) else { continue }
        taken += 1
        let parts = name.text.split(separator: "/", omittingEmptySubsequences: false)
        #expect(parts.count == 2)
        #expect(parts.allSatisfy { !$0.hasPrefix(".") && !$0.contains("..") })
        #expect(name.text == "\(name.batch)/\(name.file)")
      }
    }
    #expect(taken > good.count)
  }

  @Test func noNameIsAPrefixOfAnother() throws {
    let good = "\(batch)/\(digits)-1a2b.txt"
    #expect(AssetName(good) != nil)
    let taken = good.indices.map { String(good[..<$0]) }.filter { AssetName($0) != nil }
    // Fewer digits of a size and fewer letters of an extension are other names.
    #expect(
      taken.map { String($0.dropFirst(34)) } == ["1", "1a", "1a2", "1a2b", "1a2b.t", "1a2b.tx"])
  }
}

@Suite struct PathExtensionTests {
  @Test(arguments: ["a", "txt", "tar.gz", "A-Z_0.9", "7z", "-", "_", "a."])
  func lettersDigitsAndThreeSignsAreAccepted(_ text: String) {
    #expect(AssetName.isExtension(text))
  }

  @Test(arguments: [
    "", ".", "..", ".txt", "a..b", "a/b", "/", "\\", "a b", " ", "\0", "a\0", "é", "ａ", "a~", "a:",
    "a\n", "*", "%2e",
  ])
  func everythingElseIsRefused(_ text: String) {
    #expect(!AssetName.isExtension(text))
  }

  @Test func thirtyTwoCharactersAreTheMaximum() {
    #expect(AssetName.isExtension(String(repeating: "a", count: 32)))
    #expect(!AssetName.isExtension(String(repeating: "a", count: 33)))
    #expect(!AssetName.isExtension(String(repeating: "a", count: 300)))
  }
}
