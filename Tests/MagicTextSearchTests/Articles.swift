import Foundation
import MagicAssets
import MagicData
import MagicTestSupport

enum Section: String, MagicalCodable { case dev, life }

struct Author: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var name: String
  @MagicValue var articles: MagicalSet<Article> = []

  init() {}
}

struct Article: MagicObject {
  @PrimaryMagicValue var id: UUID
  @MagicValue(.searchable(weight: 10)) var title: String
  @MagicValue(.searchable) var body: MagicAsset<String>
  @MagicValue(.searchable) var tags: [String] = []
  @OptionMagicValue(.searchable) var note: String?
  @MagicValue var section: Section = .dev
  @MagicValue var views: Int = 0
  static var search: MagicSearch { .words(.withoutAccents, .stemmed(.english)).prefixes(2...3) }

  init() { body = .init() }

  init(_ title: String, _ body: String = "", tags: [String] = [], section: Section = .dev) {
    self.init()
    self.title = title
    self.body = body.isEmpty ? .init() : .init(value: body)
    self.tags = tags
    self.section = section
  }
}

/// A type whose texts are divided into sequences of three characters.
struct Part: MagicObject {
  @MagicValue(.searchable) var code: String
  static var search: MagicSearch { .trigrams }

  init() {}
  init(_ code: String) { self.code = code }
}

/// A type with one text.
struct Label: MagicObject {
  @MagicValue(.searchable) var text: String

  init() {}
  init(_ text: String) { self.text = text }
}

/// A type without accents and stems.
struct Line: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable(weight: 2)) var first: String = ""
  @MagicValue(.searchable) var second: [String] = []
  @MagicValue var number: Int = 0
  static var search: MagicSearch { .words().prefixes(2...2) }

  init() {}
}

extension MagicData {
  /// The titles of the found articles, in their order.
  func titles(_ text: String) async throws -> [String] {
    try await query(Article.self).matching(text).all().map(\.title)
  }
}
