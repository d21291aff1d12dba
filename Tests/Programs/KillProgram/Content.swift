package import Foundation
import MagicAssets
import MagicTestSupport

/// The content of the file of a version: different for each, small, empty or large.
package enum Content {
  package static func of(_ version: Int) -> Data {
    let size =
      switch version {
      case _ where version % 13 == 0: 0
      case _ where version % 17 == 0: 100_000 + version % 10
      default: 1 + version &* 7_919 % 2_500
      }
    var random = SeededRandom(UInt64(version))
    return random.data(count: size)
  }

  static func asset(_ version: Int) -> MagicAsset<Data> {
    version == 0 ? .init() : .init(value: of(version), pathExtension: "v\(version)")
  }
}
