/// The place of a value that is read.
struct ReadPlace {
  private let base: DocumentPath
  /// The key of a property of the object at the path.
  private let key: String?
  /// The number of objects that contain it.
  let nesting: Int
  /// Whether it is the document, or an element of its array.
  let isDocument: Bool

  /// Created when it is needed, because most properties are read without an error.
  var path: DocumentPath { key.map(base.key) ?? base }

  init(path: DocumentPath, nesting: Int = 0, isDocument: Bool = false) {
    (base, key, self.nesting, self.isDocument) = (path, nil, nesting, isDocument)
  }

  private init(_ base: DocumentPath, _ key: String, _ nesting: Int) {
    (self.base, self.key, self.nesting, isDocument) = (base, key, nesting, false)
  }

  func below(_ path: DocumentPath) -> ReadPlace { ReadPlace(path: path, nesting: nesting) }

  /// The place of the value of a property.
  func property(_ key: String) -> ReadPlace { ReadPlace(path, key, nesting + 1) }
}
