import DebianPackages
import Testing

@Suite struct StanzaValueTests {
  @Test func fieldNamesAreComparedWithoutCase() {
    let stanza = stanzas("pAcKaGe: bash\n").first
    #expect(stanza?.folded("Package") == "bash")
    #expect(stanza?.folded("Packag") == nil)
  }

  @Test func foldingTurnsLineBreaksIntoOneSpace() {
    let stanza = stanzas("Depends: libc6 (>= 2.34) ,  \n\tlibtinfo6,\n   debianutils\n").first
    #expect(stanza?.folded("Depends") == "libc6 (>= 2.34) , libtinfo6, debianutils")
  }

  @Test func aValueMayStartOnItsSecondLine() {
    let stanza = stanzas("Depends:\n libc6,\n libtinfo6\n").first
    #expect(stanza?.folded("Depends") == "libc6, libtinfo6")
    #expect(stanza?.multiline("Depends") == "\nlibc6,\nlibtinfo6")
  }

  @Test func aDescriptionKeepsItsLinesItsIndentsAndItsEmptyLines() {
    let text = "Description: a shell\n It is:\n .\n   * good\n .\n   * old\n"
    #expect(
      stanzas(text).first?.multiline("Description") == "a shell\nIt is:\n\n  * good\n\n  * old")
  }

  @Test func aValueMayContainAColon() {
    let stanza = stanzas("Version: 1:5.2\nHomepage:https://example.org/\n").first
    #expect(stanza?.folded("Version") == "1:5.2")
    #expect(stanza?.folded("Homepage") == "https://example.org/")
  }

  @Test func anEmptyFieldExistsAndHasNoValue() throws {
    let stanza = try #require(stanzas("Package: bash\nSource:\n").first)
    #expect(stanza.folded("Source") == "")
    #expect(stanza.multiline("Source") == "")
    #expect(stanza.optional("Source") == nil)
    #expect(try stanza.wholeNumber("Source") == nil)
  }

  @Test func aMissingFieldIsReportedAtTheStartOfTheStanza() throws {
    let stanza = try #require(stanzas("\nVersion: 1\nSection: shells\n").first)
    let problem = MalformedStanza(line: 2, reason: .missingField(name: "Package"))
    #expect(throws: problem) { try stanza.packageName() }
  }

  @Test(arguments: ["bash", "libstdc++6", "0ad", "python3.11-minimal", "a_b"])
  func aNameThatDpkgAcceptsIsAPackageName(_ name: String) throws {
    let stanza = try #require(stanzas("Package: \(name)\n").first)
    #expect(try stanza.packageName() == name)
  }

  @Test(arguments: ["-bash", "two words", "bäsh", "a/b", "a=b", "bash:amd64"])
  func otherTextsAreNotPackageNames(_ name: String) throws {
    let stanza = try #require(stanzas("Version: 1\nPackage: \(name)\n").first)
    let reason = MalformedStanza.Reason.invalidValue(field: "Package", expected: "a package name")
    #expect(throws: MalformedStanza(line: 2, reason: reason)) { try stanza.packageName() }
  }

  @Test(arguments: ["12 KiB", "-1", "+1", "1.5", "99999999999999999999"])
  func aSizeThatIsNotAWholeNumberIsReportedWithItsLine(_ size: String) throws {
    let stanza = try #require(stanzas("Package: bash\nInstalled-Size: \(size)\n").first)
    let reason = MalformedStanza.Reason.invalidValue(
      field: "Installed-Size", expected: "a whole number")
    #expect(throws: MalformedStanza(line: 2, reason: reason)) {
      try stanza.wholeNumber("Installed-Size")
    }
  }

  @Test func aFlagIsYesOrNo() throws {
    let stanza = try #require(stanzas("A: yes\nB: no\nC: Yes\nD: maybe\n").first)
    #expect(try stanza.flag("A"))
    #expect(try !stanza.flag("B"))
    #expect(try stanza.flag("C"))
    #expect(try !stanza.flag("E"))
    #expect(throws: MalformedStanza.self) { try stanza.flag("D") }
  }
}
