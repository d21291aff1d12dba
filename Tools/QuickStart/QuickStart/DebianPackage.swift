import DebianPackages
import Foundation
import MagicData

/// A package as a package database describes it, what it needs, and whether we pinned it.
///
/// An object is fetched with all it leads to. So the property to make a relationship of is the one
/// whose far end is wanted whenever a package is: what it needs. One package fetched is then its
/// whole installation, however deep. What it merely recommends would bring nearly the whole archive
/// with every package: that is a ``Recommendation``, an object that leads to packages and that no
/// package leads to. The ways back, from needed to needing, are asked for when they are wanted.
struct DebianPackage: MagicObject {
  /// As apt names one exact package, `name:architecture=version`: a machine may have a package
  /// installed for several architectures, and an archive may offer it in several versions.
  @PrimaryMagicValue var id: String
  @MagicValue(.indexed) var name: String
  @OptionMagicValue var architecture: String?
  @OptionMagicValue var version: String?
  @OptionMagicValue var section: Section?
  @OptionMagicValue var priority: String?
  @OptionMagicValue var status: String?
  /// The name of the source package where it is not the package's own.
  @OptionMagicValue var source: String?
  @OptionMagicValue var maintainer: Maintainer?
  @OptionMagicValue var homepage: URL?
  /// The first line of the description.
  @MagicValue var summary: String = ""
  /// The whole description where it has more than a line, in a file of its own: most of the time
  /// nobody reads it, and fetching a package does not.
  @MagicValue var details: MagicAsset<String> = .init()
  /// In KiB.
  @OptionMagicValue var installedSize: Int?
  @MagicValue var isEssential: Bool = false

  // Dependency fields as they are written, alternatives and version ranges included.
  @OptionMagicValue var depends: String?
  @OptionMagicValue var preDepends: String?
  @OptionMagicValue var recommends: String?
  @OptionMagicValue var provides: String?

  /// For each item of `depends` and `preDepends` the package of the same file that fulfils it, where
  /// one does: see `PackageDirectory`. Packages may need each other.
  @MagicValue var needs: MagicalSet<DebianPackage> = []
  @ReverseMagicValue(\DebianPackage.$needs) var neededBy: AsyncReverseMagicSet<DebianPackage>
  @ReverseMagicValue(\Recommendation.$package)
  var recommendations: AsyncReverseMagicSet<Recommendation>

  @MagicValue var isPinned: Bool = false

  init() {}
}

extension DebianPackage {
  var sectionName: String { section?.name ?? "none" }

  /// Reads what a stanza says of the package itself. Only the name is required: dpkg also lists
  /// packages of which it remembers no more than that.
  init(_ stanza: Stanza) throws(MalformedStanza) {
    self.init()
    name = try stanza.packageName()
    architecture = stanza.optional("Architecture")
    version = stanza.optional("Version")
    id = Self.id(name: name, architecture: architecture, version: version)
    priority = stanza.optional("Priority")
    status = stanza.optional("Status")
    source = stanza.optional("Source")
    homepage = try Self.homepage(stanza)
    let description = stanza.multiline("Description") ?? ""
    summary = String(description.prefix { $0 != "\n" })
    if description != summary { details = .init(value: description, pathExtension: "txt") }
    installedSize = try stanza.wholeNumber("Installed-Size")
    isEssential = try stanza.flag("Essential")
    depends = try stanza.dependencies("Depends")
    preDepends = try stanza.dependencies("Pre-Depends")
    recommends = try stanza.dependencies("Recommends")
    provides = try stanza.dependencies("Provides")
  }

  /// The whole description, read now where it lies in a file.
  func description() throws -> String { try details.load() ?? summary }

  /// Whether it is there to fulfil a dependency: dpkg also lists packages that were removed.
  var isThere: Bool {
    guard let status else { return true }
    return !status.hasSuffix(" not-installed") && !status.hasSuffix(" config-files")
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
