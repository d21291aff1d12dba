import DebianPackages
import Foundation
import MagicData

/// A package of a package database, with the packages it needs, and whether it is pinned.
///
/// An object is fetched with all objects that it refers to. So `needs` is a relationship: the
/// needed packages are used whenever a package is, and one fetch returns the complete installation.
/// Recommendations as a relationship would fetch nearly all packages with every package. They are
/// objects of the type ``Recommendation``, which refer to packages and to which no package refers.
/// The inverse relationship, from needed packages to their dependents, is fetched on demand.
struct DebianPackage: MagicObject {
  /// The exact package in the syntax of apt, `name:architecture=version`: a package can be
  /// installed for several architectures, and an archive can contain several versions.
  @PrimaryMagicValue var id: String
  @MagicValue(.indexed, .searchable(weight: 8)) var name: String
  @OptionMagicValue var architecture: String?
  @OptionMagicValue var version: String?
  @OptionMagicValue var section: Section?
  @OptionMagicValue var priority: String?
  @OptionMagicValue var status: String?
  /// The name of the source package, if it differs from the package's own.
  @OptionMagicValue var source: String?
  @OptionMagicValue var maintainer: Maintainer?
  @OptionMagicValue var homepage: URL?
  /// The first line of the description.
  @MagicValue(.searchable(weight: 4)) var summary: String = ""
  /// The complete description if it has more than one line, as an asset in a file: it is rarely
  /// read, and fetching a package does not read it.
  @MagicValue(.searchable) var details: MagicAsset<String> = .init()
  /// The size in KiB.
  @OptionMagicValue var installedSize: Int?
  @MagicValue var isEssential: Bool = false

  // The text of dependency fields, with alternatives and version ranges.
  @OptionMagicValue var depends: String?
  @OptionMagicValue var preDepends: String?
  @OptionMagicValue var recommends: String?
  @OptionMagicValue var provides: String?

  /// The packages of the same file that fulfil the items of `depends` and `preDepends`, see
  /// `PackageDirectory`. Packages can need each other.
  @MagicValue var needs: MagicalSet<DebianPackage> = []
  @ReverseMagicValue(\DebianPackage.$needs) var neededBy: AsyncReverseMagicSet<DebianPackage>
  @ReverseMagicValue(\Recommendation.$package)
  var recommendations: AsyncReverseMagicSet<Recommendation>

  @MagicValue var isPinned: Bool = false

  static var search: MagicSearch { .words(.withoutAccents, .stemmed(.english)) }

  init() {}
}

extension DebianPackage {
  var sectionName: String { section?.name ?? "none" }

  /// Creates the package of a stanza, without relationships to other packages. Only the name is
  /// required, because dpkg lists some packages with only a name.
  init(_ stanza: Stanza) throws(MalformedStanza) {
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

  /// The complete description, read from its file if it has one.
  func description() throws -> String { try details.load() ?? summary }

  /// Whether the package is installed or available, because dpkg also lists removed packages.
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
