import MagicData
import Workloads

/// An object whose texts are searched.
struct Article: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable(weight: 10)) var title: String
  @MagicValue(.searchable) var body: String

  init() {}

  init(_ article: PlainArticle) {
    id = article.number
    title = article.title
    body = article.body
  }
}

extension Changed {
  /// The same type with another search index.
  struct Article: MagicObject {
    static var tableName: String { "Article" }
    @PrimaryMagicValue var id: Int
    @MagicValue(.searchable(weight: 10)) var title: String
    @MagicValue(.searchable) var body: String
    static var search: MagicSearch { .words(.withAccents) }

    init() {}
  }
}

/// An object with a vector.
struct Passage: MagicObject {
  @PrimaryMagicValue var id: Int
  @OptionMagicValue var embedding: MagicVector?

  init() {}

  init(_ passage: PlainPassage) {
    id = passage.number
    embedding = MagicVector(passage.vector)
  }
}
