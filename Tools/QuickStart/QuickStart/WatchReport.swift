import Foundation

/// Prints changes of packages immediately.
struct WatchReport {
  /// The maximum number of lines of each kind for one change.
  static let mostLines = 20

  func began(_ packages: WatchedPackages, in place: DatabasePlace) {
    Console.write("Watching \(place.path.printable), until Ctrl-C")
    row("packages", packages.count.grouped)
    Console.flush()
  }

  func changed(_ differences: WatchedPackages.Differences, at time: Date) {
    // Different sizes can be formatted identically; then there is nothing to report.
    guard !differences.isEmpty else { return }
    Console.write("\n\(time.timeOfDay)")
    rows("new", differences.new) { $0.printable }
    rows("removed", differences.removed) { $0.printable }
    rows("changed", differences.changed) { change in
      let fields = change.fields.map { field in
        "\(field.name) from \(short(field.old)) to \(short(field.new))"
      }
      return "\(change.id.printable): \(fields.joined(separator: ", "))"
    }
    Console.flush()
  }

  func ended() {
    Console.write("\nNo longer watching")
    Console.flush()
  }

  private func short(_ text: String) -> String { text.printable.shortened(to: 56) }

  private func rows<Item>(_ label: String, _ items: [Item], _ text: (Item) -> String) {
    for item in items.prefix(Self.mostLines) { row(label, text(item)) }
    let more = items.count - Self.mostLines
    if more > 0 { row(label, "\(more.counted("further package"))") }
  }

  private func row(_ label: String, _ text: String) {
    Console.write("  \(label.padded(to: 11)) \(text)")
  }
}

extension Date {
  /// The local time, for example 09:05:07.
  var timeOfDay: String {
    let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: self)
    return [parts.hour, parts.minute, parts.second].map { part in
      let digits = String(part ?? 0)
      return digits.count < 2 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}
