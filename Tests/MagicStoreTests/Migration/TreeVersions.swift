import MagicRelations
import MagicSchema
import Magical

// Each enumeration is a version of a program. Later versions read the tables of `Plain` or `Whole`.

struct Needle: MagicObject {
  @MagicValue var text: String

  init() {}
  init(_ text: String) { self.text = text }
}

struct Cone: MagicObject {
  @MagicValue var text: String
}

enum Plain {
  struct Tree: MagicObject {
    @MagicValue var name: String

    init() {}
    init(_ name: String) { self.name = name }
  }
}

enum Whole {
  struct Tree: MagicObject {
    @MagicValue var name: String
    @OptionMagicValue var leaf: Needle?
    @MagicValue var list: [Needle] = []
    @MagicValue var set: MagicalSet<Needle> = []
    @MagicValue var named: [String: Needle] = [:]

    init() {}
    init(_ name: String) { self.name = name }
  }
}

/// Less than `Whole`.
enum Less {
  enum ToOne {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @MagicValue var list: [Needle] = []
      @MagicValue var set: MagicalSet<Needle> = []
      @MagicValue var named: [String: Needle] = [:]
    }
  }

  enum List {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Needle?
      @MagicValue var set: MagicalSet<Needle> = []
      @MagicValue var named: [String: Needle] = [:]
    }
  }

  enum All {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Needle?
    }
  }
}

/// Other than `Whole`.
enum Other {
  enum Kind {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Needle?
      @MagicValue var list: MagicalSet<Needle> = []
      @MagicValue var set: MagicalSet<Needle> = []
      @MagicValue var named: [String: Needle] = [:]
    }
  }

  enum Key {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Needle?
      @MagicValue var list: [Needle] = []
      @MagicValue var set: MagicalSet<Needle> = []
      @MagicValue var named: [Int: Needle] = [:]
    }
  }

  enum Target {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Needle?
      @MagicValue var list: [Needle] = []
      @MagicValue var set: MagicalSet<Cone> = []
      @MagicValue var named: [String: Needle] = [:]
    }
  }

  enum ToOneTarget {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Cone?
      @MagicValue var list: [Needle] = []
      @MagicValue var set: MagicalSet<Needle> = []
      @MagicValue var named: [String: Needle] = [:]
    }
  }

  enum Rule {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Needle?
      @MagicValue(.onDelete(.cascade)) var list: [Needle] = []
      @MagicValue var set: MagicalSet<Needle> = []
      @MagicValue var named: [String: Needle] = [:]
    }
  }

  enum ToOneRule {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue(.onDelete(.deny)) var leaf: Needle?
      @MagicValue var list: [Needle] = []
      @MagicValue var set: MagicalSet<Needle> = []
      @MagicValue var named: [String: Needle] = [:]
    }
  }

  enum Number {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Int?
      @MagicValue var list: [Needle] = []
      @MagicValue var set: MagicalSet<Needle> = []
      @MagicValue var named: [String: Needle] = [:]
    }
  }

  enum CollectionName {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Needle?
      @MagicValue(.wasNamed("list")) var leaves: [Needle] = []
      @MagicValue var set: MagicalSet<Needle> = []
      @MagicValue var named: [String: Needle] = [:]
    }
  }

  enum Name {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue(.wasNamed("leaf")) var top: Needle?
      @MagicValue var list: [Needle] = []
      @MagicValue var set: MagicalSet<Needle> = []
      @MagicValue var named: [String: Needle] = [:]
    }
  }
}

/// More than `Plain`; refused without a declaration.
enum MoreRequired {
  struct Tree: MagicObject {
    @MagicValue var name: String
    @MagicValue var leaf: Needle

    init() {}
  }
}

/// A column of numbers that a later version declares as a relationship.
enum Numbered {
  struct Tree: MagicObject {
    @MagicValue var name: String
    @OptionMagicValue var leaf: Int?
  }
}

enum Related {
  struct Tree: MagicObject {
    @MagicValue var name: String
    @OptionMagicValue var leaf: Needle?
  }
}
