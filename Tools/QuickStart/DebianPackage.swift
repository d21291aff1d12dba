import DebianPackages
import Foundation
import MagicData

/// A package as a package database describes it, and whether we pinned it.
struct DebianPackage: MagicObject {
  /// As apt names one exact package, `name:architecture=version`: a machine may have a package
  /// installed for several architectures, and an archive may offer it in several versions.
  @PrimaryMagicValue var id: String
  @MagicValue(.indexed) var name: String
  @OptionMagicValue var architecture: String?
  @OptionMagicValue var version: String?
  @OptionMagicValue(.indexed) var section: String?
  @OptionMagicValue var priority: String?
  @OptionMagicValue var status: String?
  /// The name of the source package where it is not the package's own.
  @OptionMagicValue var source: String?
  @OptionMagicValue var maintainer: String?
  @OptionMagicValue var homepage: URL?
  @MagicValue var details: String = ""
  /// In KiB.
  @OptionMagicValue var installedSize: Int?
  @MagicValue var isEssential: Bool = false

  // Dependency fields as they are written, alternatives and version ranges included.
  @OptionMagicValue var depends: String?
  @OptionMagicValue var preDepends: String?
  @OptionMagicValue var recommends: String?

  @MagicValue var isPinned: Bool = false

  init() {}
}

extension DebianPackage {
  /// The first line of the description.
  var summary: String { String(details.prefix { $0 != "\n" }) }

  var sectionName: String { section ?? "none" }

  /// Reads what a stanza says. Only the name is required: dpkg also lists packages of which it
  /// remembers no more than that.
  init(_ stanza: Stanza) throws(MalformedStanza) {
    self.init()
    name = try stanza.packageName()
    architecture = stanza.optional("Architecture")
    version = stanza.optional("Version")
    id = Self.id(name: name, architecture: architecture, version: version)
    section = stanza.optional("Section")
    priority = stanza.optional("Priority")
    status = stanza.optional("Status")
    source = stanza.optional("Source")
    maintainer = stanza.optional("Maintainer")
    homepage = try Self.homepage(stanza)
    details = stanza.multiline("Description") ?? ""
    installedSize = try stanza.wholeNumber("Installed-Size")
    isEssential = try stanza.flag("Essential")
    depends = stanza.optional("Depends")
    preDepends = stanza.optional("Pre-Depends")
    recommends = stanza.optional("Recommends")
  }

  static func id(name: String, architecture: String?, version: String?) -> String {
    name + (architecture.map { ":" + $0 } ?? "") + (version.map { "=" + $0 } ?? "")
  }

  private static func homepage(_ stanza: Stanza) throws(MalformedStanza) -> URL? {
    guard let text = stanza.optional("Homepage") else { return nil }
    guard let url = URL(string: text) else { throw stanza.invalid("Homepage", expected: "a URL") }
    return url
  }
}
