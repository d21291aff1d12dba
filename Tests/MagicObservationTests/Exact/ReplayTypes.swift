import Foundation
import MagicData

struct ReplayTag: MagicObject {
  @MagicValue var name: String = ""
  @OptionMagicValue(.onDelete(.cascade)) var parent: ReplayTag?

  init() {}
}

struct ReplayNote: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue var text: String = ""
  @MagicValue(.unique) var code: String = ""
  @MagicValue var weight: Double = 0
  @OptionMagicValue var remark: String?
  @OptionMagicValue var tag: ReplayTag?
  @OptionMagicValue var file: MagicAsset<String>?

  init() {}
}

struct ReplayFolder: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue(.named("heading")) var title: String = ""
  @OptionMagicValue(.onDelete(.deny)) var note: ReplayNote?
  @MagicValue var list: [ReplayTag] = []
  @MagicValue var set: MagicalSet<ReplayTag> = []
  @MagicValue var named: [String: ReplayTag] = [:]
  @MagicValue(.onDelete(.cascade)) var parts: [ReplayNote] = []

  init() {}
}

struct ReplayKeeper: MagicObject {
  @PrimaryMagicValue var id: UUID
  @MagicValue var tag: ReplayTag
  @MagicValue(.onDelete(.deny)) var folders: MagicalSet<ReplayFolder> = []

  init() {}
}
