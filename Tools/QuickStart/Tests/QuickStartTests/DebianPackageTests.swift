import DebianPackages
import Foundation
import MagicData
import Testing

@testable import QuickStart

@Suite struct DebianPackageTests {
  @Test func everyFieldOfAStanzaIsKept() throws {
    let package = try package(
      """
      Package: bash
      Essential: yes
      Status: install ok installed
      Priority: required
      Section: shells
      Installed-Size: 7164
      Maintainer: Matthias Klose <doko@debian.org>
      Architecture: amd64
      Source: bash (5.2)
      Version: 5.2.15-2+b8
      Depends: base-files (>= 2.1.12),
       debianutils (>= 5.6-0.1)
      Pre-Depends: libc6 (>= 2.36) | libc6.1
      Recommends: bash-completion
      Provides: sh (= 5.2)
      Description: GNU Bourne Again SHell
       Bash is an sh-compatible command language interpreter.
       .
       It is ultimately intended to be conformant.
      Homepage: http://tiswww.case.edu/php/chet/bash/bashtop.html
      """)
    #expect(package.id == "bash:amd64=5.2.15-2+b8")
    #expect(package.name == "bash")
    #expect(package.isEssential)
    #expect(!package.isPinned)
    #expect(package.status == "install ok installed")
    #expect(package.priority == "required")
    #expect(package.installedSize == 7164)
    #expect(package.architecture == "amd64")
    #expect(package.source == "bash (5.2)")
    #expect(package.version == "5.2.15-2+b8")
    #expect(package.depends == "base-files (>= 2.1.12), debianutils (>= 5.6-0.1)")
    #expect(package.preDepends == "libc6 (>= 2.36) | libc6.1")
    #expect(package.recommends == "bash-completion")
    #expect(package.provides == "sh (= 5.2)")
    #expect(package.summary == "GNU Bourne Again SHell")
    #expect(
      try package.description() == """
        GNU Bourne Again SHell
        Bash is an sh-compatible command language interpreter.

        It is ultimately intended to be conformant.
        """)
    #expect(package.homepage?.host == "tiswww.case.edu")
  }

  @Test func aStanzaWithOnlyANameIsAPackage() throws {
    let package = try package("Package: bash\nHomepage:\n")
    #expect(package.id == "bash")
    #expect(package.version == nil)
    #expect(package.installedSize == nil)
    #expect(package.homepage == nil)
    #expect(package.summary == "")
    #expect(!package.details.hasValue)
    #expect(try package.description() == "")
  }

  @Test func aDescriptionOfOneLineNeedsNoFile() throws {
    let package = try package("Package: bash\nDescription: GNU Bourne Again SHell\n")
    #expect(package.summary == "GNU Bourne Again SHell")
    #expect(!package.details.hasValue)
    #expect(try package.description() == "GNU Bourne Again SHell")
  }

  @Test func architecturesAndVersionsOfOnePackageAreDifferentObjects() throws {
    let head = "Package: libc6\n"
    let ids = try [
      package(head + "Architecture: amd64\nVersion: 1").id,
      package(head + "Architecture: i386\nVersion: 1").id,
      package(head + "Architecture: i386\nVersion: 2").id,
    ]
    #expect(ids == ["libc6:amd64=1", "libc6:i386=1", "libc6:i386=2"])
  }

  @Test(arguments: [
    ("Version: 1", 1), ("\n# remark\nVersion: 1", 3), ("Package: a b", 1),
    ("Package: a\nInstalled-Size: big", 2), ("Package: a\nEssential: perhaps", 2),
    ("Package: a\nDepends: b c", 2), ("Package: a\nVersion: 1\nProvides: (= 1)", 3),
  ])
  func anInvalidFieldIsReportedWithItsLine(_ text: String, _ line: Int) {
    let error = #expect(throws: MalformedStanza.self) { try package(text) }
    #expect(error?.line == line)
  }

  @Test(arguments: [
    ("install ok installed", true), ("hold ok half-configured", true),
    ("deinstall ok config-files", false), ("purge ok not-installed", false),
  ])
  func aRemovedPackageIsNotInstalled(_ status: String, _ isThere: Bool) throws {
    #expect(try package("Package: a\nStatus: \(status)\n").isThere == isThere)
  }

  private func package(_ text: String) throws -> DebianPackage {
    var reader = StanzaReader([UInt8](text.utf8))
    let result = reader.next()
    return try DebianPackage(#require(result).get())
  }
}
