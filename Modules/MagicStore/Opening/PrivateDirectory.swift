import Foundation
import MagicFiles
import MagicRuntime
import MagicSchema

/// A directory for its owner alone, removed with everything in it when the last one lets go.
package final class PrivateDirectory: Sendable {
  package let path: String
  private let origin = ProcessOrigin()

  /// - Parameter isMade: whether it is made; else who needs it makes it.
  package init(isMade: Bool = true) throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("MagicData-\(UUID().uuidString)")
    path = url.path
    guard isMade else { return }
    do {
      try MissingDirectories(at: path).make(.none)
    } catch {
      throw MagicError(.cannotOpen, "The temporary directory cannot be made.", cause: error)
    }
  }

  deinit {
    // It is still the parent's.
    guard !origin.isForked else { return }
    try? FileManager.default.removeItem(atPath: path)
  }
}
