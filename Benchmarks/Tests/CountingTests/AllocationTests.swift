#if os(Linux)
  import CAllocations
  import Glibc
  import Testing

  @testable import Counting

  @Suite(.serialized)
  struct AllocationTests {
    init() { #expect(magic_count_allocations()) }

    @Test func eachObjectOfSwiftIsOneAllocation() {
      #expect(isSeen { AllocationCheck.swiftAllocations(count: 1_000) == 1_000 })
    }

    @Test func eachBlockOfSQLiteIsOneAllocation() {
      #expect(isSeen { AllocationCheck.sqliteAllocations(count: 1_000) == 1_000 })
    }

    @Test func freedBytesAreNotHeld() {
      #expect(
        isSeen {
          let start = Reading.now
          let block = malloc(1_000)
          let held = Reading.now
          free(block)
          let end = Reading.now
          return (held - start).live == 1_000 && (held - start).allocated == 1_000
            && (end - start).live == 0 && (end - start).allocations == 1
        })
    }

    @Test func aGrowingBlockIsCountedAgain() {
      #expect(
        isSeen {
          let start = Reading.now
          let block = realloc(malloc(3), 100_000)
          let end = Reading.now
          free(block)
          return (end - start).allocations == 2 && (end - start).live == 100_008
        })
    }

    @Test func reallocationKeepsTheBytesOfABlock() throws {
      let block = try #require(malloc(3) as UnsafeMutableRawPointer?)
      block.copyMemory(from: [1, 2, 3] as [UInt8], byteCount: 3)
      let grown = try #require(realloc(block, 100_000) as UnsafeMutableRawPointer?)
      let shrunk = try #require(realloc(grown, 2) as UnsafeMutableRawPointer?)
      #expect(Array(UnsafeRawBufferPointer(start: shrunk, count: 2)) == [1, 2])
      free(shrunk)
    }

    @Test(arguments: [8, 16, 64, 4_096, 65_536])
    func aBlockHasItsRequestedAlignment(alignment: Int) {
      var block: UnsafeMutableRawPointer?
      #expect(posix_memalign(&block, alignment, 100) == 0)
      #expect(block != nil)
      #expect(Int(bitPattern: block) % alignment == 0)
      free(block)
    }

    @Test func reusedMemoryIsZeroed() throws {
      let used = try #require(malloc(500) as UnsafeMutableRawPointer?)
      memset(used, 7, 500)
      free(used)
      let zeroed = try #require(calloc(50, 10))
      #expect(UnsafeRawBufferPointer(start: zeroed, count: 500).allSatisfy { $0 == 0 })
      free(zeroed)
    }

    @Test func tooLargeRequestsAreRefused() {
      #expect(malloc(Int.max) == nil)
      #expect(calloc(Int.max, 3) == nil)
    }

    /// Whether the condition is true once in many attempts, because concurrent tests allocate too.
    private func isSeen(_ isSo: () -> Bool) -> Bool { (0..<10_000).contains { _ in isSo() } }
  }
#endif
