import DebianPackages
import MagicData

/// Prints the results of each step.
struct Report {
  func saved(_ done: PackageImport, from file: PackageFile, in place: DatabasePlace) {
    title("Saved")
    row("from", "\(file.path.printable), \(file.bytes.count.byteCount)")
    row(
      "to",
      place.isOnServer
        ? "a server of PostgreSQL"
        : place.path.printable + (place.isTemporary ? " (temporary)" : ""))
    row("packages", "\(done.saved.grouped) in \(done.seconds.duration)" + rate(done))
    let recommendations = done.recommendations.grouped
    row(
      "references",
      "\(done.needs.grouped) to needed packages, \(recommendations) to recommended ones")
    if done.unmet > 0 {
      row("unmet", "\(done.unmet.grouped) dependencies that no package of the file fulfils")
    }
    if done.repeated > 0 {
      row("repeated", "\(done.repeated.counted("stanza")), replaced by the later one")
    }
    if done.replaced > 0 { row("replaced", done.replaced.counted("earlier package")) }
    row("malformed", done.malformed == 0 ? "none" : "\(done.malformed.counted("stanza")) skipped")
  }

  func found(_ findings: Findings) {
    let survey = findings.survey
    title("Opened again and queried in \(findings.seconds.duration)")
    row("packages", "\(survey.count.grouped), \(survey.size.kibibytes) installed")
    guard survey.count > 0 else { return }
    if let package = findings.byPrimary { row("by primary", name(package)) }
    row("essential", findings.essential.map { "first is " + name($0) } ?? "none")

    title("Biggest packages")
    for package in survey.biggest {
      line(package.installedSize?.kibibytes ?? "", package.name, package.summary)
    }
    title("Biggest sections")
    for section in survey.sections.prefix(8) {
      line(section.size.kibibytes, section.name, section.count.counted("package"))
    }
    if survey.sections.count > 8 {
      Console.write("  \((survey.sections.count - 8).counted("further section"))")
    }
    described(findings.descriptions)
  }

  private func described(_ descriptions: Descriptions) {
    title("Descriptions")
    guard descriptions.count > 0 else {
      row("in files", "none: no description has more than one line")
      return
    }
    row("in files", "\(descriptions.count.grouped), \(descriptions.size.byteCount) in all")
    guard let first = descriptions.read.first else { return }
    let read = descriptions.read.count.counted("file")
    row("read", "\(read) in \(descriptions.seconds.duration), of the biggest packages")
    let sentence = first.sentence.printable.shortened(to: 72)
    row("first", "\(first.name.printable): \(sentence)")
  }

  func answered(_ answers: Answers) {
    if let needs = answers.needs {
      title("Packages that \(needs.package.name) needs, queried in \(needs.seconds.duration)")
      let size = Survey.sum(needs.others.map { $0.installedSize ?? 0 }).kibibytes
      row("directly", needs.package.needs.count.counted("package"))
      row("in all", "\(needs.others.count.counted("package")), \(size) installed")
      row("depth", needs.depth.counted("level"))
    }
    if let neededBy = answers.neededBy {
      title("Packages that need \(neededBy.name), queried in \(neededBy.seconds.duration)")
      row("directly", neededBy.count.counted("package"))
      if !neededBy.names.isEmpty { row("examples", neededBy.names.joined(separator: ", ")) }
    }
    title("Maintainers with the most packages, queried in \(answers.maintainers.seconds.duration)")
    row("maintainers", answers.maintainers.count.grouped)
    for (name, packages) in answers.maintainers.busiest {
      let count = packages.grouped.rightAligned(to: 11)
      Console.write("  \(count)  \(name.printable.shortened(to: 64))")
    }
    found(answers.about)
  }

  private func found(_ about: About) {
    let duration = about.seconds.duration
    title("Packages about \"\(about.text.printable.shortened(to: 40))\", searched in \(duration)")
    row("found", about.count.counted("package"))
    let width = about.hits.map(\.name.text.count).max() ?? 0
    for hit in about.hits {
      let padding = String(repeating: " ", count: width - hit.name.text.count)
      Console.write("  \(hit.name.printable)\(padding)  \(hit.snippet.printable)")
    }
  }

  func changed(_ changes: Changes) {
    title("Changed in \(changes.seconds.duration)")
    row("pinned", changes.pinned.count.counted("package") + " of the biggest")
    if let section = changes.section {
      let count = changes.removed.count.counted("package")
      row("removed", "\(count) of section \(section.printable), the smallest")
    } else {
      row("removed", "nothing: there are not two sections to choose from")
    }
    if changes.files.before > 0 {
      row("files", "\(changes.files.before.grouped) before, \(changes.files.after.grouped) after")
    }
  }

  func verified(_ done: Verification) {
    title("Opened again and verified")
    row("packages", done.count.grouped)
    row("references", "\(done.links.grouped), all unchanged")
    let files = done.files > 0 ? ", \(done.files.grouped) of them from files" : ""
    row("described", "\(done.descriptions.grouped), all unchanged\(files)")
  }

  /// Says how to look at the objects.
  func end(_ place: DatabasePlace) {
    title("Look at the objects")
    guard !place.isOnServer else {
      // The address is known to the caller, and can contain a password.
      row("install", "Tools/install")
      row("then", "magic inspect ADDRESS")
      row("", #"magic query ADDRESS 'SELECT name FROM "DebianPackage"' --limit 5"#)
      row("to a file", "magic copy ADDRESS packages.sqlite3")
      row("", "magic serve packages.sqlite3 --open")
      return
    }
    let path = place.isTemporary ? "packages.sqlite3" : place.path.printable
    if place.isTemporary { row("keep them", "Tools/quick-start --database \(path)") }
    row("install", "Tools/install")
    row("then", "magic inspect \(path)")
    row("", "magic show \(path) DebianPackage bash")
    row("", "magic serve \(path) --write --open")
  }

  private func title(_ text: String) { Console.write("\n\(text)") }

  private func row(_ label: String, _ text: String) {
    Console.write("  \(label.padded(to: 11)) \(text)")
  }

  private func line(_ size: String, _ name: String, _ text: String) {
    let name = name.printable.shortened(to: 34).padded(to: 34)
    let text = text.isEmpty ? "no description" : text.printable.shortened(to: 56)
    Console.write("  \(size.rightAligned(to: 11))  \(name)  \(text)")
  }

  private func name(_ package: DebianPackage) -> String {
    let summary = package.summary.isEmpty ? "no description" : package.summary
    return "\(package.id.printable): \(summary.printable.shortened(to: 56))"
  }

  private func rate(_ done: PackageImport) -> String {
    guard done.seconds > 0, done.saved >= 1000 else { return "" }
    return ", \((Double(done.saved) / done.seconds).rounded(toPlaces: 0)) a second"
  }
}
