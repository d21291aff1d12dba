import Foundation

/// Finds functions of the process by name.
enum Symbol {
  static func find<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: type) }
  }
}
