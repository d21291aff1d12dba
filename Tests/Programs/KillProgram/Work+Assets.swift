import Foundation
import MagicAssets
import MagicData

extension Work {
  /// An asset with the content of a version: from memory, copied from a file, or streamed into the
  /// folder before it is saved.
  func asset(_ version: Int) throws -> MagicAsset<Data> {
    switch random(0...3) {
    case 0: try streamed(version)
    case 1: try copied(version)
    default: Content.asset(version)
    }
  }

  func streamed(_ version: Int) throws -> MagicAsset<Data> {
    let data = Content.of(version)
    let pieces = AsyncStream<Data> { continuation in
      for start in stride(from: 0, to: data.count, by: 1_000) {
        continuation.yield(data[start..<min(start + 1_000, data.count)])
      }
      continuation.finish()
    }
    return try waiting { [store] in
      try await MagicData(store: store).asset(streaming: pieces, pathExtension: "v\(version)")
    }
  }

  private func copied(_ version: Int) throws -> MagicAsset<Data> {
    // The save reads this file.
    let source = URL(fileURLWithPath: "\(path)-source-\(version)")
    try Content.of(version).write(to: source)
    return MagicAsset(contentsOf: source)
  }
}
