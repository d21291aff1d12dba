import DebianPackages
import Testing

@Suite struct MalformedStanzaTests {
  @Test func aContinuationLineWithoutAFieldIsReportedWithItsLine() {
    let found = problems(read("Package: bash\n\n stray\nPackage: dash\n"))
    #expect(found == [MalformedStanza(line: 3, reason: .continuationWithoutField)])
  }

  @Test func aLineWithoutAColonIsReportedWithItsLine() {
    let found = problems(read("Package: bash\nVersion 5.2\n"))
    #expect(found == [MalformedStanza(line: 2, reason: .missingColon)])
  }

  @Test(arguments: [": 5.2", "Ver sion: 5.2", "-Version: 5.2", "Größe: 5", "Ver\u{1B}[0m: 1"])
  func anInvalidFieldNameIsReportedWithItsLine(_ line: String) {
    let found = problems(read("Package: bash\n\(line)\n"))
    #expect(found == [MalformedStanza(line: 2, reason: .invalidFieldName)])
  }

  @Test func aFieldGivenTwiceIsReportedWithBothLines() {
    let found = problems(read("\nVersion: 1\nPackage: bash\nversion: 2\n"))
    let reason = MalformedStanza.Reason.duplicateField(name: "version", firstLine: 2)
    #expect(found == [MalformedStanza(line: 4, reason: reason)])
  }

  @Test(arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]])
  func textThatIsNotUTF8IsReportedWithItsLine(_ bytes: [UInt8]) {
    let head = [UInt8]("Package: bash\nMaintainer: ".utf8)
    let found = problems(read(head + bytes + [UInt8]("\nVersion: 1\n".utf8)))
    #expect(found == [MalformedStanza(line: 2, reason: .invalidUTF8)])
  }

  @Test func textOutsideASCIIIsKept() {
    let stanza = stanzas("Maintainer: Jörg 🐟 Müller <j@example.org>\n").first
    #expect(stanza?.folded("Maintainer") == "Jörg 🐟 Müller <j@example.org>")
  }

  @Test func anInvalidStanzaIsReportedOnceAndTheNextIsRead() {
    let results = read("no colon\n: no name\n Package: x\n\nPackage: dash\n\nagain\n")
    #expect(problems(results).map(\.line) == [1, 7])
    #expect(results.compactMap { try? $0.get().folded("Package") } == ["dash"])
  }

  @Test func linesWithCarriageReturnsAreCounted() {
    let found = problems(read("Package: a\r\n\r\n\r\nPackage: b\r\nbroken\r\n"))
    #expect(found.map(\.line) == [5])
  }

  @Test func theMessageHasTheLineAndTheReason() {
    let problem = MalformedStanza(line: 7, reason: .duplicateField(name: "Depends", firstLine: 4))
    #expect("\(problem)" == "line 7: the field Depends was already given on line 4")
  }
}
