package import Foundation
package import MagicData

/// The types after the migration.
package enum After {
  /// A type with a new name and one more property.
  package struct Writer: MagicObject {
    package static var wasNamed: [String] { ["Author"] }
    @PrimaryMagicValue(.searchable) package var name: String
    @OptionMagicValue package var mentor: Writer?
    @MagicValue package var isLiving = true

    package init() {}
  }

  package struct Book: MagicObject {
    @PrimaryMagicValue package var number: Int
    @MagicValue(.indexed, .searchable, .wasNamed("title")) package var name: String
    @MagicValue package var cents: Int
    @MagicValue package var pages: Double
    @MagicValue(.searchable) package var summary: MagicAsset<String>
    @OptionMagicValue package var section: String?
    @MagicValue(.wasNamed("author")) package var authors: [Writer] = []
    @OptionMagicValue package var sequel: Book?
    @MagicValue package var scan: MagicAsset<Data>
    @MagicValue package var review: MagicAsset<String> = .init(value: "none yet")

    package init() { (summary, scan) = (.init(), .init()) }

    package static var migrations: Migrations {
      Migrations {
        MigrationStep {
          [.renameValue(name: "price", to: "cents"), .deleteValue(name: "notes")]
        }
        MigrationStep {
          [
            .transformValue(name: "cents") { (price: Double) in Int((price * 100).rounded()) },
            .sql("UPDATE \"Book\" SET \"section\" = NULL WHERE \"section\" = ''"),
          ]
        }
        MigrationStep(4) {
          [
            .transformRows { old, new in
              let text = try old.value("summary", as: String.self) ?? ""
              let asset = text.isEmpty ? MagicAsset<String>() : .init(value: text)
              try new.set("summary", to: asset)
            },
            .deleteValue(name: "cover"),
          ]
        }
      }
    }
  }

  package struct Shelf: MagicObject {
    @MagicValue(.unique) package var label: String
    @MagicValue package var books: [Book] = []
    @MagicValue package var guests: [Writer] = []
    @MagicValue(.wasNamed("index")) package var catalogue: [String: Book] = [:]

    package init() {}

    init(label: String) { self.label = label }
  }
}
