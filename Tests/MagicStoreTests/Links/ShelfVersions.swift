import MagicRelations
import MagicSchema
import Magical

// Each enumeration is a program: the tables that `Plain` or `Whole` made meet a later one's types.

struct Leaf: MagicObject {
  @MagicValue var text: String

  init() {}
  init(_ text: String) { self.text = text }
}

struct Twig: MagicObject {
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
    @OptionMagicValue var leaf: Leaf?
    @MagicValue var list: [Leaf] = []
    @MagicValue var set: MagicalSet<Leaf> = []
    @MagicValue var named: [String: Leaf] = [:]

    init() {}
    init(_ name: String) { self.name = name }
  }
}

/// Less than `Whole`.
enum Less {
  enum ToOne {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @MagicValue var list: [Leaf] = []
      @MagicValue var set: MagicalSet<Leaf> = []
      @MagicValue var named: [String: Leaf] = [:]
    }
  }

  enum List {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Leaf?
      @MagicValue var set: MagicalSet<Leaf> = []
      @MagicValue var named: [String: Leaf] = [:]
    }
  }

  enum All {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Leaf?
    }
  }
}

/// Other than `Whole`.
enum Other {
  enum Kind {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Leaf?
      @MagicValue var list: MagicalSet<Leaf> = []
      @MagicValue var set: MagicalSet<Leaf> = []
      @MagicValue var named: [String: Leaf] = [:]
    }
  }

  enum Key {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Leaf?
      @MagicValue var list: [Leaf] = []
      @MagicValue var set: MagicalSet<Leaf> = []
      @MagicValue var named: [Int: Leaf] = [:]
    }
  }

  enum Target {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Leaf?
      @MagicValue var list: [Leaf] = []
      @MagicValue var set: MagicalSet<Twig> = []
      @MagicValue var named: [String: Leaf] = [:]
    }
  }

  enum ToOneTarget {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Twig?
      @MagicValue var list: [Leaf] = []
      @MagicValue var set: MagicalSet<Leaf> = []
      @MagicValue var named: [String: Leaf] = [:]
    }
  }

  enum Rule {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Leaf?
      @MagicValue(.onDelete(.cascade)) var list: [Leaf] = []
      @MagicValue var set: MagicalSet<Leaf> = []
      @MagicValue var named: [String: Leaf] = [:]
    }
  }

  enum ToOneRule {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue(.onDelete(.deny)) var leaf: Leaf?
      @MagicValue var list: [Leaf] = []
      @MagicValue var set: MagicalSet<Leaf> = []
      @MagicValue var named: [String: Leaf] = [:]
    }
  }

  enum Number {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue var leaf: Int?
      @MagicValue var list: [Leaf] = []
      @MagicValue var set: MagicalSet<Leaf> = []
      @MagicValue var named: [String: Leaf] = [:]
    }
  }

  enum Name {
    struct Tree: MagicObject {
      @MagicValue var name: String
      @OptionMagicValue(.wasNamed("leaf")) var top: Leaf?
      @MagicValue var list: [Leaf] = []
      @MagicValue var set: MagicalSet<Leaf> = []
      @MagicValue var named: [String: Leaf] = [:]
    }
  }
}

/// More than `Plain`, which cannot be without a decision.
enum MoreRequired {
  struct Tree: MagicObject {
    @MagicValue var name: String
    @MagicValue var leaf: Leaf

    init() {}
  }
}

/// A column of numbers that is a relationship later.
enum Numbered {
  struct Tree: MagicObject {
    @MagicValue var name: String
    @OptionMagicValue var leaf: Int?
  }
}

enum Related {
  struct Tree: MagicObject {
    @MagicValue var name: String
    @OptionMagicValue var leaf: Leaf?
  }
}
