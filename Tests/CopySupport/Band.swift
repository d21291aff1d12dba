package import Foundation
package import MagicAssets
package import MagicData

/// A type whose primary is the row ID, with a set and a dictionary whose members are copied.
package final class Band: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue(.rowID) package var id: Int
  @MagicValue(.searchable) package var name: String = ""
  @MagicValue(.owned) package var songs: [Song] = []
  @MagicValue(.onDelete(.cascade)) package var tours: [Tour] = []
  @MagicValue package var rivals: MagicalSet<Band> = []
  @MagicValue package var guests: [Double: Song] = [:]
  @ReverseMagicValue(\Song.$writer) package var written: AsyncReverseMagicSet<Song>

  package init() {}
  package init(_ name: String) { self.name = name }
}

extension Band: Hashable {
  package static func == (left: Band, right: Band) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

package final class Song: MagicObject, @unchecked Sendable {
  package enum Mood: String, CaseIterable, Codable, Magical { case calm, loud }

  @MagicValue package var title: String = ""
  @MagicValue package var mood: Mood = .calm
  @OptionMagicValue(.onDelete(.nullify)) package var writer: Band?
  @OptionMagicValue package var sound: MagicAsset<Data>?

  package init() {}
  package init(_ title: String) { self.title = title }
}

package final class Tour: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue package var number: Int
  @MagicValue package var isOver: Bool = false
  @OptionMagicValue(.indexed) package var code: UUID?

  package init() {}
  package init(isOver: Bool) { self.isOver = isOver }
}
