import MagicCommand
import MagicData

/// The tool without types: it looks at databases of all programs.
@main struct Magic: MagicTool {
  static let types: [any MagicObject.Type] = []
}
