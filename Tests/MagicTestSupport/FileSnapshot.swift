public import Foundation

/// The bytes of a file and the names in its directory, at one time.
///
///     let before = try FileSnapshot(of: file)
///     // … calls that must not change the file …
///     #expect(try before.changes() == [])
public struct FileSnapshot: Sendable {
  private let url: URL
  private let content: Content
  private let siblings: Set<String>

  /// Reads the file and its directory. The file may be missing.
  public init(of url: URL) throws {
    self.url = url
    content = try Content(at: url)
    siblings = try names(in: url.deletingLastPathComponent()).subtracting([url.lastPathComponent])
  }

  /// Reads them again, and returns a sentence for each difference; empty if there are none.
  public func changes() throws -> [String] {
    let now = try FileSnapshot(of: url)
    return content.changes(to: now.content, name: url.lastPathComponent)
      + now.siblings.subtracting(siblings).sorted().map { "\($0) appeared" }
      + siblings.subtracting(now.siblings).sorted().map { "\($0) vanished" }
  }
}

private enum Content: Equatable {
  case nothing
  case file(Data)
  case directory(Set<String>)
  case link(to: String)
  case other

  init(at url: URL) throws {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else {
      self = .nothing
      return
    }
    self =
      switch attributes[.type] as? FileAttributeType {
      case .typeRegular?: .file(try Data(contentsOf: url))
      case .typeDirectory?: .directory(try names(in: url))
      case .typeSymbolicLink?:
        .link(to: try FileManager.default.destinationOfSymbolicLink(atPath: url.path))
      default: .other
      }
  }

  func changes(to now: Content, name: String) -> [String] {
    switch (self, now) {
    case _ where self == now:
      []
    case (.nothing, _):
      ["\(name) appeared"]
    case (_, .nothing):
      ["\(name) vanished"]
    case (.file(let before), .file(let after)) where before.count != after.count:
      ["\(name) had \(before.count) bytes and has \(after.count)"]
    case (.file(let before), .file(let after)):
      ["\(name) differs from byte \(zip(before, after).prefix { $0 == $1 }.count)"]
    case (.directory(let before), .directory(let after)):
      after.subtracting(before).sorted().map { "\(name)/\($0) appeared" }
        + before.subtracting(after).sorted().map { "\(name)/\($0) vanished" }
    default:
      ["\(name) became something else"]
    }
  }
}

private func names(in folder: URL) throws -> Set<String> {
  Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
}
