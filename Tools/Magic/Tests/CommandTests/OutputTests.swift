import Foundation
import MagicCommand
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What happens when the results cannot be written.
@Suite struct OutputTests {
  #if os(Linux)
    @Test func aFullDiskIsAFailure() throws {
      let descriptor = open("/dev/full", O_WRONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let code = try #require(Output.writingError("text", to: descriptor))
      #expect(code == ENOSPC)
      let failure = Output.failure(code)
      #expect(failure.status == 7)
      #expect(failure.message?.hasPrefix("The output cannot be written: ") == true)
    }
  #endif

  @Test func aPipeThatTheReaderHasClosedIsNoFailure() throws {
    let failure = Output.failure(EPIPE)
    #expect(failure.status == 0)
    #expect(failure.message == nil)
  }

  @Test func everythingIsWritten() throws {
    let pipe = Pipe()
    let error = Output.writingError("abc", to: pipe.fileHandleForWriting.fileDescriptor)
    #expect(error == nil)
    try pipe.fileHandleForWriting.close()
    #expect(try pipe.fileHandleForReading.readToEnd() == Data("abc".utf8))
  }
}
