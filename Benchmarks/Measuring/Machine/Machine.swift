import CMagicSQLite
import Foundation

/// The machine and the versions of a measurement.
struct Machine: Codable, Sendable {
  let date: String
  let commandLine: String
  /// The revision of the sources; nil outside of a repository.
  let revision: String?
  let processor: String
  let cores: Int
  let system: String
  let kernel: String
  let swift: String
  let sqlite: String
  let allocator: String

  /// The present machine.
  static func current() -> Machine {
    Machine(
      date: ISO8601DateFormatter().string(from: Date()), commandLine: commandLine,
      revision: Revision.current, processor: processor,
      cores: ProcessInfo.processInfo.activeProcessorCount,
      system: ProcessInfo.processInfo.operatingSystemVersionString, kernel: kernel, swift: swift,
      sqlite: String(cString: sqlite3_libversion()), allocator: Allocator.name)
  }

  /// The values with their names, in the order of tables.
  var lines: [(name: String, value: String)] {
    [
      ("processor", "\(processor), \(cores) cores"), ("system", "\(system), \(kernel)"),
      ("Swift", swift), ("SQLite", sqlite), ("allocator", allocator),
      ("revision", revision ?? "–"), ("command", commandLine), ("date", date),
    ]
  }

  private static var commandLine: String {
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    return ([program] + CommandLine.arguments.dropFirst()).joined(separator: " ")
  }

  private static var processor: String {
    #if os(Linux)
      let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
      let model = line?.split(separator: ":").last
      return model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
    #else
      var size = 0
      sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
      var bytes = [UInt8](repeating: 0, count: size)
      sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0)
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #endif
  }

  private static var kernel: String {
    var names = utsname()
    uname(&names)
    func text(_ field: some Any) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
  }

  private static var swift: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3.2)
      "6.3.2 or later"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
