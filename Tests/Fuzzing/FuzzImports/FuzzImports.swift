import FuzzTargets

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try HostileImports.run(UnsafeBufferPointer(start: bytes, count: count))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
