import DiskSimulation
import Foundation
import MagicFiles
import MagicTestSupport

/// How the disk fails, at a step that the sweep goes through one by one.
enum Fault: Hashable, CustomStringConvertible {
  case call(DiskCall, number: Int32, isLasting: Bool = false)
  case file(FileError.Operation, number: Int32)
  /// From there on nothing more can be written, neither by SQLite nor to a file.
  case fullDisk

  /// Every kind of step, and the ways in which it fails.
  static let all: [Fault] =
    [
      .call(.write, number: ENOSPC), .call(.write, number: EIO),
      // Half of it is written.
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

  /// Lets the disk fail from its nth step of the kind on.
  func arm(_ disk: SimulatedDisk, at position: Int) {
    switch self {
    case .call(let call, let number, let isLasting):
      disk.calls.fail(call, at: position, with: number, isLasting: isLasting)
    case .file(let operation, let number):
      disk.files.fail(operation, at: position, with: number)
    case .fullDisk:
      disk.calls.fail(.write, at: position, with: ENOSPC, isLasting: true)
      // Nothing is written to files either once SQLite cannot; before that it can.
      disk.onStep = { [weak disk] in
        guard let disk, disk.calls.failureCount > 0 else { return }
        disk.onStep = nil
        disk.files.fail(.write, with: ENOSPC, isLasting: true)
        disk.files.fail(.create, with: ENOSPC, isLasting: true)
      }
    }
  }

  var isOfReading: Bool {
    if case .call(.read, _, _) = self { true } else { false }
  }

  var description: String {
    switch self {
    case .call(let call, let number, let isLasting):
      "\(call) \(Self.name(number))\(isLasting ? " for good" : "")"
    case .file(let operation, let number): "file \(operation) \(Self.name(number))"
    case .fullDisk: "full disk"
    }
  }

  private static func name(_ number: Int32) -> String {
    switch number {
    case ENOSPC: "ENOSPC"
    case EINTR: "short"
    case 0: "lied about"
    default: "EIO"
    }
  }
}
