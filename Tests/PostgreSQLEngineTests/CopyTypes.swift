import Foundation
import MagicAssets
import MagicData

/// A type whose primary is the row ID, with a set and a dictionary whose members are copied.
final class Band: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue(.rowID) var id: Int
  @MagicValue(.searchable) var name: String = ""
  @MagicValue(.owned) var songs: [Song] = []
  @MagicValue(.onDelete(.cascade)) var tours: [Tour] = []
  @MagicValue var rivals: MagicalSet<Band> = []
  @MagicValue var guests: [Double: Song] = [:]
  @ReverseMagicValue(\Song.$writer) var written: AsyncReverseMagicSet<Song>

  init() {}
  init(_ name: String) { self.name = name }
}

extension Band: Hashable {
  static func == (left: Band, right: Band) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

final class Song: MagicObject, @unchecked Sendable {
  enum Mood: String, CaseIterable, Codable, Magical { case calm, loud }

  @MagicValue var title: String = ""
  @MagicValue var mood: Mood = .calm
  @OptionMagicValue(.onDelete(.nullify)) var writer: Band?
  @OptionMagicValue var sound: MagicAsset<Data>?

  init() {}
  init(_ title: String) { self.title = title }
}

final class Tour: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var number: Int
  @MagicValue var isOver: Bool = false
  @OptionMagicValue(.indexed) var code: UUID?

  init() {}
  init(isOver: Bool) { self.isOver = isOver }
}
