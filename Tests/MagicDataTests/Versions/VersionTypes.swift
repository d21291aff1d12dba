import MagicData

/// A type without relationships.
struct Invoice: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var total: Int = 0
  @MagicValue var note: String = ""
  @OptionMagicValue(.unique) var code: String?
  @MagicVersion var version: Int

  init() {}
  init(_ id: String, total: Int = 0, code: String? = nil) {
    (self.id, self.total, self.code) = (id, total, code)
  }
}

/// A type whose primary is the row ID, and whose first property is the version.
struct Slot: MagicObject {
  @MagicVersion(.named("revision")) var version: Int
  @PrimaryMagicValue(.rowID) var number: Int
  @MagicValue var guest: String = ""

  init() {}
  init(_ number: Int, _ guest: String) { (self.number, self.guest) = (number, guest) }
}

/// A class without a primary.
final class Counter: MagicObject, @unchecked Sendable {
  @MagicValue var count: Int = 0
  @MagicVersion var version: Int
}

/// An owner of collections and to-ones, whose members have versions.
struct Crate: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var label: String = ""
  @MagicValue var list: [Fruit] = []
  @MagicValue var group: MagicalSet<Fruit> = []
  @MagicValue var named: [String: Fruit] = [:]
  @MagicValue(.owned) var stickers: [Sticker] = []
  @OptionMagicValue var best: Fruit?
  @OptionMagicValue var next: Crate?
  @MagicVersion var version: Int

  init() {}
  init(_ label: String) { self.label = label }
}

struct Fruit: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var weight: Int = 1
  @ReverseMagicValue(\Crate.$list) var crates: AsyncReverseMagicSet<Crate>
  @MagicVersion var version: Int

  init() {}
  init(_ name: String) { self.name = name }
}

struct Sticker: MagicObject {
  @MagicValue var text: String
  @MagicVersion var version: Int

  init() {}
  init(_ text: String) { self.text = text }
}

/// Returns the versions in the error of a conflict, and nil for all other outcomes.
func conflict(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async -> MagicConflict? {
  do {
    try await body()
    return nil
  } catch let error as MagicError where error.code == .conflict {
    return error.conflict
  } catch {
    return nil
  }
}
