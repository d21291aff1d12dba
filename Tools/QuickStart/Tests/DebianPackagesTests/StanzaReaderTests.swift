import DebianPackages
import Testing

@Suite struct StanzaReaderTests {
  @Test func aStanzaKeepsItsFieldsInOrderAndItsFirstLine() {
    let all = stanzas("Package: bash\nVersion: 5.2\n\nPackage: dash\n")
    #expect(all.map(\.fieldNames) == [["Package", "Version"], ["Package"]])
    #expect(all.map(\.line) == [1, 4])
    #expect(all[0].line(of: "version") == 2)
  }

  @Test func aFileWithoutATrailingNewlineKeepsItsLastStanza() {
    let all = stanzas("Package: bash\n\nPackage: dash\nEssential: yes")
    #expect(all.map { $0.folded("Package") } == ["bash", "dash"])
    #expect(all[1].folded("Essential") == "yes")
  }

  @Test(arguments: ["", "\n", "\n\n \n\t\n", "\r\n", "# nothing but a remark\n", "\u{FEFF}"])
  func aFileWithoutFieldsHasNoStanzas(_ text: String) {
    #expect(read(text).isEmpty)
  }

  @Test(arguments: ["\n\n", "\n\n\n\n", "\n \t\n", "\r\n\r\n", "\n\n# remark\n\n"])
  func anyRunOfEmptyLinesSeparatesStanzas(_ separator: String) {
    let all = stanzas("Package: bash\(separator)Package: dash")
    #expect(all.map { $0.folded("Package") } == ["bash", "dash"])
  }

  @Test func leadingEmptyLinesAreCounted() {
    #expect(stanzas("\n\n\nPackage: bash\n").map(\.line) == [4])
  }

  @Test func carriageReturnsBeforeNewlinesAreDropped() {
    let stanza = stanzas("Package: bash\r\nDescription: a shell\r\n with history\r\n\r\n").first
    #expect(stanza?.folded("Package") == "bash")
    #expect(stanza?.multiline("Description") == "a shell\nwith history")
  }

  @Test func aByteOrderMarkIsSkipped() {
    #expect(stanzas("\u{FEFF}Package: bash\n").first?.folded("Package") == "bash")
  }

  @Test func commentLinesAreIgnoredEvenInsideAValue() {
    let all = stanzas("# first\nPackage: bash\nDepends: a,\n# between\n b\n#last\n\n#end")
    #expect(all.count == 1)
    #expect(all.first?.folded("Depends") == "a, b")
    #expect(all.first?.multiline("Depends") == "a,\nb")
  }

  @Test func aCommentMayContainAnyBytes() {
    #expect(read([0x23, 0xFF, 0x0A] + [UInt8]("Package: bash".utf8)).count == 1)
  }

  @Test func blanksBetweenTheNameAndTheColonAreIgnored() {
    #expect(stanzas("Package : bash\n").first?.folded("Package") == "bash")
  }

  @Test func theOffsetEndsAtTheEndOfTheFile() {
    var reader = StanzaReader([UInt8]("Package: bash\n\nPackage: dash".utf8))
    #expect(reader.offset == 0)
    _ = reader.next()
    #expect(reader.offset == 15)
    _ = reader.next()
    #expect(reader.offset == 28)
    #expect(reader.next() == nil)
  }
}
