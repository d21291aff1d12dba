public import Foundation

/// A photo as a plain struct, with the values of its row and the content of its file.
public struct PlainPhoto: Sendable {
  /// The primary.
  public var id: String
  /// A short text.
  public var title: String
  /// The content of the file.
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

  /// Creates photos with random keys, always the same.
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
