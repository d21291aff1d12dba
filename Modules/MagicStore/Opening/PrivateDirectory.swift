import Foundation
import MagicSchema

/// A directory for its owner alone, removed with everything in it when the last one lets go.
final class PrivateDirectory: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("MagicData-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw MagicError(.cannotOpen, "The temporary directory cannot be made.", cause: error)
    }
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
