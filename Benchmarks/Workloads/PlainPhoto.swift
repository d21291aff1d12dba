public import Foundation

/// A photo as a plain struct: what lies in the row, and what lies in a file.
public struct PlainPhoto: Sendable {
  /// The primary value.
  public var id: String
  /// A short text.
  public var title: String
  /// What lies in a file.
  public var image: Data

  /// All values of a photo.
  public init(id: String, title: String, image: Data) {
    self.id = id
    self.title = title
    self.image = image
  }
}

extension PlainPhoto {
  /// The size of an image in bytes.
  public static let size = 16 << 10

  /// Photos with random keys, the same ones every time.
  public static func make(_ count: Int) -> [PlainPhoto] {
    var random = SplitMix(state: 44)
    return (0..<count).map { index in
      var image = Data(count: size)
      image[index % size] = 1
      return PlainPhoto(
        id: UUID(uuid: random.uuid()).uuidString, title: "Photo number \(index)", image: image)
    }
  }
}
