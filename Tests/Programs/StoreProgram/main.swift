import MagicStore
import SQLiteStore

final class Note: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var number: Int
  @MagicValue var text: String

  init() {}
}

let store = try MagicObjectStore.open(.file(CommandLine.arguments[1]))
let note = Note()
note.text = "hello"
try store.update(note)
print(try store.object(of: Note.self).map(\.text))
store.close()
