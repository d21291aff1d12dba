import CopySupport
import Foundation
import MagicTestSupport
import OriginalImport
import Testing

/// A disk that becomes full during an import.
@Suite struct FullDiskTests {
  @Test func aFullDiskLeavesNothing() async {
    await #expect(processExitsWith: .success) {
      let database = try OriginalDatabase()
      try FullDiskCopy {
        try OriginalSource(
          path: database.old, types: OriginalImportTests.types, allowsLoss: false)
      }.check(besides: database.old)
    }
  }
}
