import MagicData

/// Types whose relationships have every delete rule. Each has its own table.
enum Rules {
  struct Author: MagicObject {
    @MagicValue var name: String

    init() {}
    init(_ name: String) { self.name = name }
  }

  /// Optional, nullify.
  struct Essay: MagicObject {
    @MagicValue var title: String
    @OptionMagicValue var author: Author?

    init() {}
    init(_ title: String, by author: Author?) { (self.title, self.author) = (title, author) }
  }

  /// Required, deny.
  struct Novel: MagicObject {
    @MagicValue var title: String
    @MagicValue var author: Author

    init() {}
    init(_ title: String, by author: Author) { (self.title, self.author) = (title, author) }
  }

  /// Optional, deny.
  struct Review: MagicObject {
    @OptionMagicValue(.named("reviewed_by"), .onDelete(.deny)) var author: Author?

    init() {}
    init(by author: Author?) { self.author = author }
  }

  /// Required, cascade.
  struct Diary: MagicObject {
    @MagicValue(.onDelete(.cascade)) var author: Author

    init() {}
    init(by author: Author) { self.author = author }
  }

  /// Optional, cascade.
  struct Blog: MagicObject {
    @OptionMagicValue(.onDelete(.cascade)) var author: Author?

    init() {}
    init(by author: Author?) { self.author = author }
  }

  /// Collections, nullify.
  struct Club: MagicObject {
    @MagicValue var list: [Author] = []
    @MagicValue var set: MagicalSet<Author> = []
    @MagicValue var roles: [String: Author] = [:]

    init() {}
    init(_ members: [Author]) {
      list = members
      set = MagicalSet(members)
      roles = Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0) })
    }
  }

  /// One collection of each kind that refuses removals.
  struct Jury: MagicObject {
    @MagicValue(.onDelete(.deny)) var list: [Author] = []
    @MagicValue(.onDelete(.deny)) var set: MagicalSet<Author> = []
    @MagicValue(.onDelete(.deny)) var roles: [String: Author] = [:]

    init() {}
  }

  /// One collection of each kind that cascades to its members.
  struct Band: MagicObject {
    @MagicValue(.onDelete(.cascade)) var list: [Author] = []
    @MagicValue(.onDelete(.cascade)) var set: MagicalSet<Author> = []
    @MagicValue(.onDelete(.cascade)) var roles: [String: Author] = [:]

    init() {}
  }
}
