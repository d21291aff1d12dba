import Foundation

/// The allocator of this process.
enum Allocator {
  /// `jemalloc 5.3.0`, `glibc 2.36`.
  static var name: String {
    if let jemalloc = Jemalloc.current { return "jemalloc \(jemalloc.version)" }
    typealias Version = @convention(c) () -> UnsafePointer<CChar>?
    if let version = Symbol.find("gnu_get_libc_version", as: Version.self)?() {
      return "glibc \(String(cString: version))"
    }
    return "the system's"
  }

  /// Returns the allocator's free memory to the system.
  static func purge() {
    if let jemalloc = Jemalloc.current { return jemalloc.purge() }
    typealias Trim = @convention(c) (Int) -> Int32
    _ = Symbol.find("malloc_trim", as: Trim.self)?(0)
  }
}
