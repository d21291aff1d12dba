import MagicData

/// Types with owned lists. Each has its own table.
enum Owned {
  struct Part: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var name: String = ""
    @ReverseMagicValue(\Crate.$parts) var crates: AsyncReverseMagicSet<Crate>
    @ReverseMagicValue(\Crate.$spares) var spareCrates: AsyncReverseMagicSet<Crate>

    init() {}
    init(_ number: Int) { self.number = number }
  }

  struct Crate: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue(.owned) var parts: [Part] = []
    @MagicValue(.owned) var spares: [Part] = []

    init() {}
    init(_ name: String, _ parts: [Part] = [], spares: [Part] = []) {
      self.name = name
      (self.parts, self.spares) = (parts, spares)
    }
  }

  /// Its members are removed with it.
  struct Folder: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue(.owned, .onDelete(.cascade)) var folders: [Folder] = []

    init() {}
    init(_ name: String, _ folders: [Folder] = []) {
      self.name = name
      self.folders = folders
    }
  }

  /// Its members cannot be removed.
  struct Safe: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue(.owned, .onDelete(.deny), .named("content")) var parts: [Coin] = []

    init() {}
    init(_ name: String, _ parts: [Coin]) {
      self.name = name
      self.parts = parts
    }
  }

  struct Coin: MagicObject {
    @MagicValue var value: Int = 0

    init() {}
    init(_ value: Int) { self.value = value }
  }

  /// Its list is fetched when it is read.
  struct Album: MagicObject {
    @PrimaryMagicValue var name: String
    @MagicValue(.owned) var photos: AsyncMagical<[Photo]> = .init(value: [])

    init() {}
    init(_ name: String, _ photos: [Photo]) {
      self.name = name
      self.photos = .init(value: photos)
    }
  }

  struct Photo: MagicObject {
    @MagicValue var title: String = ""
    @OptionMagicValue var album: Album?

    init() {}
    init(_ title: String) { self.title = title }
  }
}
