import Foundation
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The reader of the format has no collations, and reads a file whose columns have some.
@Suite(.enabled(if: FormatReader.hasPython, "The reader needs python3 on the PATH."))
struct FormatReaderCollationTests {
  struct Guest: MagicObject {
    @MagicValue(.compared(.localized("de")), .indexed) var name: String = ""
    @MagicValue(.compared(.caseInsensitive), .unique) var mail: String = ""

    init() {}
    init(_ name: String, _ mail: String) { (self.name, self.mail) = (name, mail) }
  }

  @Test func theTextsAreRead() throws {
    let scratch = Scratch()
    let store = try MagicObjectStore.open(.file(scratch.file()))
    try store.update(contentsOf: [Guest("Zoe", "Z@x"), Guest("Éva", "a@x")])
    store.close()
    let output = try FormatReader.run(URL(fileURLWithPath: scratch.file()))
    #expect(output.status == 0, "\(output.errors)")
    let text = String(decoding: output.lines, as: UTF8.self)
    #expect(text.contains("Éva"))
    #expect(text.contains("Z@x"))
  }
}
