package import Foundation
package import MagicData

/// The types before the migration.
package enum Before {
  package struct Author: MagicObject {
    @PrimaryMagicValue package var name: String
    @OptionMagicValue package var mentor: Author?

    package init() {}

    init(name: String) { self.name = name }
  }

  package struct Book: MagicObject {
    @PrimaryMagicValue package var number: Int
    @MagicValue(.indexed, .searchable) package var title: String
    @MagicValue package var price: Double
    @MagicValue package var pages: Int
    @MagicValue package var summary: String
    @MagicValue package var section: String
    @MagicValue package var notes: String
    @MagicValue package var author: Author
    @OptionMagicValue package var sequel: Book?
    @MagicValue package var cover: MagicAsset<Data>
    @MagicValue package var scan: MagicAsset<Data>

    package init() { (cover, scan) = (.init(), .init()) }

    init(_ number: Int) {
      (cover, scan) = (.init(), .init())
      self.number = number
    }
  }

  package struct Shelf: MagicObject {
    @MagicValue(.searchable) package var label: String
    @MagicValue package var books: [Book] = []
    @MagicValue package var guests: MagicalSet<Author> = []
    @MagicValue(.onDelete(.cascade)) package var index: [String: Book] = [:]

    package init() {}

    init(label: String) { self.label = label }
  }
}
