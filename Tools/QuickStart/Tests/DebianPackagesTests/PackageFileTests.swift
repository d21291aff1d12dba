import DebianPackages
import Foundation
import Testing

@Suite struct PackageFileTests {
  @Test func allBytesOfAFileAreRead() throws {
    try withFile("Package: bash\n") { path in
      let file = try PackageFile(path: path)
      #expect(file.bytes == Array("Package: bash\n".utf8))
    }
  }

  @Test func anEmptyFileIsReadable() throws {
    try withFile("") { path in
      let file = try PackageFile(path: path)
      #expect(file.bytes.isEmpty)
    }
  }

  @Test func theErrorNamesAMissingFile() throws {
    let path = NSTemporaryDirectory() + UUID().uuidString
    let error = #expect(throws: PackageFile.Unreadable.self) { try PackageFile(path: path) }
    #expect(error?.description == "cannot read \(path): there is no such file")
  }

  @Test func aDirectoryIsRefused() {
    let path = NSTemporaryDirectory()
    let error = #expect(throws: PackageFile.Unreadable.self) { try PackageFile(path: path) }
    #expect(error?.reason == "it is a directory")
  }

  @Test(arguments: [
    ("gzip", [0x1F, 0x8B, 0x08]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
    ("lz4", [0x04, 0x22, 0x4D, 0x18]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]),
  ])
  func aCompressedFileIsRefusedByName(_ compression: String, _ bytes: [UInt8]) throws {
    try withFile(bytes) { path in
      let error = #expect(throws: PackageFile.Unreadable.self) { try PackageFile(path: path) }
      #expect(error?.reason == "it is compressed with \(compression); unpack it first")
    }
  }

  private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
    try withFile([UInt8](text.utf8), body)
  }

  private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url.path)
  }
}
