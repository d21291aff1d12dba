import DiskSimulation
import Foundation
import MagicFiles
import MagicTestSupport

/// A kind of step of the disk, and how it fails there.
enum Fault: Hashable, CustomStringConvertible {
  case call(DiskCall, number: Int32, isLasting: Bool = false)
  case file(FileError.Operation, number: Int32)
  /// From that step on, neither SQLite nor an asset file can be written.
  case fullDisk

  /// Every kind of step with each way in which it can fail.
  static let all: [Fault] =
    [
      .call(.write, number: ENOSPC), .call(.write, number: EIO),
      // Half of the bytes are written.
      .call(.write, number: EINTR), .call(.sync, number: EIO), .call(.read, number: EIO),
      .call(.truncate, number: EIO), .call(.open, number: EIO), .call(.delete, number: EIO),
      .call(.lock, number: EIO), .call(.size, number: EIO), .call(.access, number: EIO),
      .call(.map, number: EIO), .call(.write, number: EIO, isLasting: true), .fullDisk,
    ]
    + FileError.Operation.allCases.flatMap { operation -> [Fault] in
      switch operation {
      case .write, .create, .makeDirectory:
        [.file(operation, number: ENOSPC), .file(operation, number: EIO)]
      default: [.file(operation, number: EIO)]
      }
    }

  /// Makes the disk fail at the nth step of this kind.
  func arm(_ disk: SimulatedDisk, at position: Int) {
    switch self {
    case .call(let call, let number, let isLasting):
      disk.calls.fail(call, at: position, with: number, isLasting: isLasting)
    case .file(let operation, let number):
      disk.files.fail(operation, at: position, with: number)
    case .fullDisk:
      disk.calls.fail(.write, at: position, with: ENOSPC, isLasting: true)
      // Once a write of SQLite has failed, writes of asset files fail too.
      disk.onStep = { [weak disk] in
        guard let disk, disk.calls.failureCount > 0 else { return }
        disk.onStep = nil
        disk.files.fail(.write, with: ENOSPC, isLasting: true)
        disk.files.fail(.create, with: ENOSPC, isLasting: true)
      }
    }
  }

  var isReadFault: Bool {
    if case .call(.read, _, _) = self { true } else { false }
  }

  var description: String {
    switch self {
    case .call(let call, let number, let isLasting):
      "\(call) \(Self.name(number))\(isLasting ? " permanently" : "")"
    case .file(let operation, let number): "file \(operation) \(Self.name(number))"
    case .fullDisk: "full disk"
    }
  }

  private static func name(_ number: Int32) -> String {
    switch number {
    case ENOSPC: "ENOSPC"
    case EINTR: "short"
    case 0: "falsely reported"
    default: "EIO"
    }
  }
}
