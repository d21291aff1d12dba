import Foundation

/// The files and directories below a folder, as programs see them and as they are durable.
///
/// The names in a directory are read from the real file system when the directory is synced and
/// when the power is cut. So files that the simulation did not create are included.
struct DiskState {
  /// What a name refers to.
  private enum Entry: Equatable {
    case file(Int)
    case directory(Int)
  }

  private var files: [DiskImage] = []
  /// The durable names of each directory.
  private var directories: [[String: Entry]] = []
  private var fileNumbers: [UInt64: Int] = [:]
  private var directoryNumbers: [UInt64: Int] = [:]

  /// Marks the present contents of the folder as durable.
  mutating func begin(at path: String) throws {
    for entry in entries(of: path) where !isShared(entry.name) {
      let path = path + "/" + entry.name
      switch number(of: entry) {
      case .directory: try begin(at: path)
      case .file(let number):
        files[number] = DiskImage(
          durable: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
      }
    }
    makeDirectoryDurable(at: path)
  }

  // MARK: Changes

  mutating func makeFile(at path: String) {
    guard let node = Node(at: path) else { return }
    fileNumbers[node.inode] = newFile()
  }

  /// Records that a file was opened. Its inode number can be that of an earlier, deleted file.
  mutating func openFile(at path: String) {
    guard let node = Node(at: path) else { return }
    if let known = fileNumbers[node.inode], files[known].size == node.size { return }
    fileNumbers[node.inode] = newFile()
  }

  mutating func makeDirectory(at path: String) {
    guard let node = Node(at: path) else { return }
    directoryNumbers[node.inode] = newDirectory()
  }

  mutating func note(_ change: DiskImage.Change, to path: String) {
    withFile(at: path) { $0.note(change) }
  }

  mutating func makeFileDurable(at path: String) { withFile(at: path) { $0.makeDurable() } }

  mutating func makeDurable(at path: String) {
    for entry in entries(of: path) where !isShared(entry.name) {
      let path = path + "/" + entry.name
      if entry.node.isDirectory { makeDurable(at: path) } else { makeFileDurable(at: path) }
    }
    makeDirectoryDurable(at: path)
  }

  mutating func discardChanges(at path: String) { withFile(at: path) { $0.discardChanges() } }

  mutating func makeDirectoryDurable(at path: String) {
    guard let node = Node(at: path) else { return }
    let names = currentNames(of: path)
    directories[directoryNumber(node.inode)] = names
  }

  // MARK: Cutting the power

  mutating func write(_ path: String, to other: String, _ loss: inout PowerLoss) throws {
    try write(directory: Node(at: path).map { directoryNumber($0.inode) }, path, to: other, &loss)
  }

  private mutating func write(
    directory: Int?, _ path: String?, to other: String, _ loss: inout PowerLoss
  ) throws {
    try FileManager.default.createDirectory(
      atPath: other, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let durable = directory.map { directories[$0] } ?? [:]
    let current = path.map { currentNames(of: $0) } ?? durable
    for name in Set(durable.keys).union(current.keys).sorted() {
      let isKept = durable[name] == current[name] || loss.keepsName()
      switch isKept ? current[name] : durable[name] {
      case .file(let file)?:
        let content = files[file].content(after: &loss)
        _ = FileManager.default.createFile(
          atPath: other + "/" + name, contents: Data(content),
          attributes: [.posixPermissions: 0o600])
      case .directory(let directory)?:
        let exists = current[name] == .directory(directory)
        let path = exists ? path.map { $0 + "/" + name } : nil
        try write(directory: directory, path, to: other + "/" + name, &loss)
      case nil: break
      }
    }
  }

  // MARK: Nodes

  /// Whether a file is the index of a write-ahead log, which is rebuilt after a power failure.
  private func isShared(_ name: String) -> Bool { name.hasSuffix("-shm") }

  private mutating func currentNames(of path: String) -> [String: Entry] {
    var names: [String: Entry] = [:]
    for entry in entries(of: path) where !isShared(entry.name) {
      names[entry.name] = number(of: entry)
    }
    return names
  }

  private func entries(of path: String) -> [(name: String, node: Node)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { name in Node(at: path + "/" + name).map { (name, $0) } }
  }

  private mutating func number(of entry: (name: String, node: Node)) -> Entry {
    entry.node.isDirectory
      ? .directory(directoryNumber(entry.node.inode)) : .file(fileNumber(entry.node.inode))
  }

  private mutating func withFile(at path: String, _ body: (inout DiskImage) -> Void) {
    guard let node = Node(at: path) else { return }
    body(&files[fileNumber(node.inode)])
  }

  private mutating func fileNumber(_ inode: UInt64) -> Int {
    if let known = fileNumbers[inode] { return known }
    let new = newFile()
    fileNumbers[inode] = new
    return new
  }

  private mutating func newFile() -> Int {
    files.append(DiskImage())
    return files.count - 1
  }

  private mutating func directoryNumber(_ inode: UInt64) -> Int {
    if let known = directoryNumbers[inode] { return known }
    let new = newDirectory()
    directoryNumbers[inode] = new
    return new
  }

  private mutating func newDirectory() -> Int {
    directories.append([:])
    return directories.count - 1
  }
}

/// The inode number, type and size of a file or directory.
private struct Node {
  let inode: UInt64
  let isDirectory: Bool
  let size: Int

  init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
  }
}
