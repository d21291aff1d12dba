import DebianPackages
import Testing

@Suite struct PackageDirectoryTests {
  @Test func theFirstFulfilledAlternativeIsUsed() throws {
    let directory = directory(("a", "amd64", "1"), ("b", "amd64", "1"), ("c", "amd64", "1"))
    #expect(try find("x | c | b", in: directory) == 2)
    #expect(try find("b (>= 2) | c", in: directory) == 2)
    #expect(try find("x | b (>= 2)", in: directory) == nil)
  }

  @Test func theHighestMatchingVersionIsUsed() throws {
    let directory = directory(
      ("a", "amd64", "1"), ("b", "amd64", "1.9"), ("b", "amd64", "1.10"), ("b", "amd64", "1.2"))
    #expect(try find("b", in: directory) == 2)
    #expect(try find("b (<< 1.10)", in: directory) == 1)
    #expect(try find("b (= 1.2)", in: directory) == 3)
  }

  @Test func theArchitectureOfTheOwnerIsPreferred() throws {
    let directory = directory(
      ("a", "i386", "1"), ("b", "amd64", "2"), ("b", "i386", "1"), ("c", "amd64", "1"))
    #expect(try find("b", in: directory) == 2)
    #expect(try find("b:any", in: directory) == 2)
    #expect(try find("b:amd64", in: directory) == 1)
    #expect(try find("b:arm64", in: directory) == nil)
    #expect(try find("b (>= 2)", in: directory) == 1)
    #expect(try find("c", in: directory) == 3)
  }

  @Test func allArchitecturesAreAsPreferredAsTheOwn() throws {
    let directory = directory(("a", "amd64", "1"), ("b", "i386", "3"), ("b", "all", "2"))
    #expect(try find("b", in: directory) == 2)
  }

  @Test func aVirtualPackageIsProvided() throws {
    var directory = directory(("a", "amd64", "1"))
    directory.add(offer("exim4", provides: "mail-transport-agent"))
    directory.add(offer("postfix", priority: "standard", provides: "mail-transport-agent"))
    #expect(try find("mail-transport-agent", in: directory) == 2)
    #expect(try find("mail-transport-agent (>= 1)", in: directory) == nil)
    directory.add(offer("mail-transport-agent"))
    #expect(try find("mail-transport-agent", in: directory) == 3)
  }

  @Test func aVirtualPackageMayHaveAVersion() throws {
    var directory = directory(("a", "amd64", "1"))
    directory.add(offer("b", provides: "x (= 1.5)"))
    #expect(try find("x", in: directory) == 1)
    #expect(try find("x (>= 1.4)", in: directory) == 1)
    #expect(try find("x (>= 1.6)", in: directory) == nil)
  }

  @Test func aPackageThatProvidesItsDependencyFulfilsIt() throws {
    var directory = PackageDirectory()
    directory.add(offer("b", priority: "required", provides: "x"))
    directory.add(offer("a", provides: "x"))
    #expect(try find("x", in: directory, of: 1) == 1)
    #expect(try find("x", in: directory, of: 0) == 0)
  }

  @Test func aPackageThatIsNotInstalledHasOnlyANumber() throws {
    var directory = directory(("a", "amd64", "1"))
    directory.add(offer("b", provides: "x"), isThere: false)
    directory.add(offer("c", provides: "x"))
    #expect(try find("b", in: directory) == nil)
    #expect(try find("x", in: directory) == 2)
  }

  private func directory(_ packages: (String, String, String)...) -> PackageDirectory {
    var directory = PackageDirectory()
    for (name, architecture, version) in packages {
      directory.add(
        .init(
          name: name, architecture: architecture, version: version, priority: nil, provides: []))
    }
    return directory
  }

  private func offer(
    _ name: String, priority: String = "optional", provides: String = ""
  ) -> PackageDirectory.Offer {
    .init(
      name: name, architecture: "amd64", version: "1", priority: priority,
      provides: Dependency.list(in: provides) ?? [])
  }

  private func find(
    _ text: String, in directory: PackageDirectory, of owner: Int = 0
  ) throws -> Int? {
    let list = try #require(Dependency.list(in: text))
    return directory.package(for: try #require(list.first), of: owner)
  }
}
