import Foundation

/// The controls of jemalloc, found in the process by name: nothing links them.
struct Jemalloc {
  private typealias Control =
    @convention(c) (
      UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?,
      UnsafeMutableRawPointer?, Int
    ) -> Int32

  private let control: Control

  /// Nil where another allocator serves the process, even if jemalloc is loaded.
  static var current: Jemalloc? {
    guard let control = Symbol.find("mallctl", as: Control.self) else { return nil }
    let jemalloc = Jemalloc(control: control)
    return jemalloc.serves ? jemalloc : nil
  }

  var version: String {
    var text: UnsafePointer<CChar>?
    guard read("version", &text), let text else { return "" }
    // What follows the dash says from which revision it was built.
    return String(cString: text).split(separator: "-").first.map(String.init) ?? ""
  }

  func purge() {
    _ = control("thread.tcache.flush", nil, nil, nil, 0)
    // All arenas.
    _ = control("arena.4096.purge", nil, nil, nil, 0)
  }

  /// Whether an allocation is one that jemalloc counts.
  private var serves: Bool {
    typealias Allocate = @convention(c) (Int) -> UnsafeMutableRawPointer?
    // By its name: a compiler that knows what it calls leaves out an allocation that is not used.
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
