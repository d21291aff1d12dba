import DatabaseTransfer
import Foundation
import MagicSchema

/// A file with a model: a folder of Xcode, with the extension `xcdatamodeld` or `xcdatamodel`, or a
/// compiled model, with the extension `momd` or `mom`.
struct ModelFile {
  /// The largest file, in bytes.
  private static let largestFile = 64 << 20
  /// The largest property list that names the current version, in bytes.
  private static let largestList = 1 << 20

  /// - Throws: `MagicError`: `.cannotOpen` if there is no model at the path, `.corrupt` if it is not valid.
  static func model(at path: String) throws -> CoreDataModel {
    let file = try file(at: path)
    let bytes: [UInt8]
    do {
      guard let content = try content(of: file, limit: largestFile) else {
        throw MagicError(.corrupt, "The model at \(path) is not valid: it is larger than 64 MiB.")
      }
      bytes = Array(content)
    } catch let error as MagicError {
      throw error
    } catch {
      throw MagicError(.cannotOpen, "The model at \(path) cannot be read.", cause: error)
    }
    do {
      return try bytes.starts(with: Array("bplist".utf8))
        ? ModelArchive.model(bytes) : ModelDocument.model(bytes)
    } catch let fault as ModelFault {
      throw MagicError(.corrupt, "The model at \(path) is not valid: \(fault.reason).")
    }
  }

  /// Returns the content of a file; nil for a larger one, of which no more than the limit is read.
  private static func content(of file: String, limit: Int) throws -> Data? {
    guard ForeignDatabase.isRegularFile(file) else { throw CocoaError(.fileReadNoSuchFile) }
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
    defer { try? handle.close() }
    guard try handle.seekToEnd() <= UInt64(limit) else { return nil }
    try handle.seek(toOffset: 0)
    // The file can have grown.
    let content = try handle.read(upToCount: limit + 1) ?? Data()
    return content.count <= limit ? content : nil
  }

  /// Returns the file with the model: of a folder with versions, that of the current version.
  private static func file(at path: String) throws -> String {
    var folder = path.hasSuffix("/") ? String(path.dropLast()) : path
    if folder.hasSuffix(".xcdatamodeld") { folder += "/" + (try current(in: folder)) }
    if folder.hasSuffix(".momd") { folder += "/" + (try compiled(in: folder)) }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory) else {
      throw MagicError(.cannotOpen, "There is no model at \(path).")
    }
    return isDirectory.boolValue ? folder + "/contents" : folder
  }

  private static func current(in folder: String) throws -> String {
    if let name = entry("_XCCurrentVersionName", of: folder + "/.xccurrentversion") { return name }
    return try onlyFile("xcdatamodel", in: folder)
  }

  private static func compiled(in folder: String) throws -> String {
    if let name = entry(
      "NSManagedObjectModel_CurrentVersionName", of: folder + "/VersionInfo.plist")
    {
      return name + ".mom"
    }
    return try onlyFile("mom", in: folder)
  }

  private static func entry(_ key: String, of file: String) -> String? {
    guard let data = try? content(of: file, limit: largestList),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let name = (list as? [String: Any])?[key] as? String, !name.contains("/")
    else { return nil }
    return name
  }

  private static func onlyFile(_ suffix: String, in folder: String) throws -> String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let models = names.filter { $0.hasSuffix("." + suffix) }
    guard models.count == 1 else {
      throw MagicError(
        .cannotOpen,
        "The folder \(folder) has \(models.count) models, and does not name the current one.")
    }
    return models[0]
  }
}
