import Foundation
import MagicFiles
import MagicTestSupport

/// A private folder of a test, which need not exist yet.
struct Place {
  let directory: TemporaryDirectory
  var root: URL { directory.file("people.sqlite3-assets") }

  init() throws { directory = try TemporaryDirectory() }

  func disk(_ durability: FileDurability = .none) -> DiskFileSystem {
    DiskFileSystem(root: root.path, durability: durability)
  }

  func faulty(_ durability: FileDurability = .none) -> FaultyFileSystem {
    FaultyFileSystem(disk(durability))
  }

  /// The folder as a session or another process uses it.
  func folder(_ files: (any FileSystem)? = nil) -> AssetFolder {
    AssetFolder(files ?? disk(), path: root.path)
  }

  /// The names in a directory of the folder, sorted.
  func names(in path: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(path).path).sorted()
  }

  func marks() throws -> [String] { try names().filter { $0.hasSuffix(".open") } }
  func batches() throws -> [String] { try names().filter { $0.utf8.count == 16 } }

  func file(_ path: String) -> URL { root.appendingPathComponent(path) }

  /// A place outside the folder.
  func beside(_ name: String) -> URL { directory.file(name) }

  // Foundation's own write waits for the disk.
  func write(_ text: String, to path: String) throws {
    guard let stream = fopen(root.path + "/" + path, "w") else {
      throw FileError(.create, path, number: errno)
    }
    fputs(text, stream)
    fclose(stream)
  }

  func makeDirectory(_ path: String) throws {
    try FileManager.default.createDirectory(at: file(path), withIntermediateDirectories: true)
  }

  func link(_ path: String, to destination: URL) throws {
    try FileManager.default.createSymbolicLink(at: file(path), withDestinationURL: destination)
  }

  func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: file(path).path)) != nil
  }

  func rights(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(path).path)[.posixPermissions] as? Int
  }
}

extension AssetFolder {
  func stage(_ text: String, _ pathExtension: String? = nil) throws -> StagedFile {
    try stage(pathExtension: pathExtension) { try $0.write(Data(text.utf8)) }
  }

  /// Stages and publishes a file, as a commit does.
  func put(_ text: String, _ pathExtension: String? = nil) throws -> AssetName {
    let staged = try stage(text, pathExtension)
    try publish([staged])
    return staged.name
  }

  func text(of name: AssetName) throws -> String {
    let file = try open(name)
    var bytes = [UInt8](repeating: 0, count: file.size)
    let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  func names() throws -> Set<AssetName> {
    var names = Set<AssetName>()
    try forEachFile { name, _ in
      if let name { names.insert(name) }
    }
    return names
  }

  func paths() throws -> [String] {
    var paths: [String] = []
    try forEachFile { _, path in paths.append(path) }
    return paths.sorted()
  }

  /// A sweep that keeps the referenced files.
  func sweep(referenced: Set<AssetName> = []) throws -> Int {
    try sweep { referenced.intersection($0) }
  }
}

/// The file error that the body throws; nil if it throws none, or another error.
func code(_ body: () throws -> Void) -> FileError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? FileError)?.code
  }
}

let someBatch = "00000000000000aa"
let someName = "00000000000000aa/00000000000000bb-3"
