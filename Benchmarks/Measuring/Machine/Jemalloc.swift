import Foundation

/// The control functions of jemalloc, found by name at run time.
struct Jemalloc {
  private typealias Control =
    @convention(c) (
      UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?,
      UnsafeMutableRawPointer?, Int
    ) -> Int32

  private let control: Control

  /// The functions, or nil if the process uses another allocator, even if jemalloc is loaded.
  static var current: Jemalloc? {
    guard let control = Symbol.find("mallctl", as: Control.self) else { return nil }
    let jemalloc = Jemalloc(control: control)
    return jemalloc.serves ? jemalloc : nil
  }

  var version: String {
    var text: UnsafePointer<CChar>?
    guard read("version", &text), let text else { return "" }
    // The text after the dash is the revision of the build.
    return String(cString: text).split(separator: "-").first.map(String.init) ?? ""
  }

  func purge() {
    _ = control("thread.tcache.flush", nil, nil, nil, 0)
    // All arenas.
    _ = control("arena.4096.purge", nil, nil, nil, 0)
  }

  /// Whether jemalloc counts an allocation of this process.
  private var serves: Bool {
    typealias Allocate = @convention(c) (Int) -> UnsafeMutableRawPointer?
    // Called by its name, because a compiler removes unused calls of known allocation functions.
    guard let allocate = Symbol.find("malloc", as: Allocate.self) else { return false }
    let before = allocated
    let allocation = allocate(1 << 10)
    defer { free(allocation) }
    return allocated > before
  }

  private var allocated: UInt64 {
    var bytes: UInt64 = 0
    return read("thread.allocated", &bytes) ? bytes : 0
  }

  private func read<Value: BitwiseCopyable>(_ name: String, _ value: inout Value) -> Bool {
    var size = MemoryLayout<Value>.size
    return withUnsafeMutableBytes(of: &value) { control(name, $0.baseAddress, &size, nil, 0) == 0 }
  }
}
