import MagicData
import Workloads

/// An object with a list of objects of its own type.
struct Folder: MagicObject {
  @MagicValue var name: String
  @MagicValue var subfolders: [Folder]

  init() {}

  init(_ index: Int, of tree: PlainTree) {
    name = tree.names[index]
    subfolders = tree.children(of: index).map { Folder($0, of: tree) }
  }
}
