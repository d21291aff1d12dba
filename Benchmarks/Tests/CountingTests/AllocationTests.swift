#if os(Linux)
  import CAllocations
  import Testing

  @testable import Counting

  @Suite(.serialized)
  struct AllocationTests {
    init() { #expect(magic_count_allocations()) }

    @Test func eachObjectOfSwiftIsOneAllocation() {
      #expect(AllocationCheck.swiftAllocations(count: 1_000) == 1_000)
    }

    @Test func eachBlockOfSQLiteIsOneAllocation() {
      sqliteIsReady()
      #expect(AllocationCheck.sqliteAllocations(count: 1_000) == 1_000)
    }

    @Test func whatIsFreedIsNotHeld() {
      let start = Reading.now
      let block = malloc(1_000)
      let held = Reading.now
      free(block)
      let end = Reading.now
      #expect((held - start).live == 1_000)
      #expect((held - start).allocated == 1_000)
      #expect((end - start).live == 0)
    }

    @Test func aBlockThatGrowsKeepsItsBytesAndCountsOnceMore() throws {
      let start = Reading.now
      let block = try #require(malloc(3))
      block.copyMemory(from: [1, 2, 3] as [UInt8], byteCount: 3)
      let grown = try #require(realloc(block, 100_000))
      let end = Reading.now
      #expect(Array(UnsafeRawBufferPointer(start: grown, count: 3)) == [1, 2, 3])
      #expect((end - start).allocations == 2)
      #expect((end - start).live == 100_008)
      free(grown)
    }

    @Test(arguments: [8, 16, 64, 4_096, 65_536])
    func aBlockLiesWhereItIsAskedFor(alignment: Int) throws {
      var block: UnsafeMutableRawPointer?
      #expect(posix_memalign(&block, alignment, 100) == 0)
      #expect(Int(bitPattern: try #require(block)) % alignment == 0)
      free(block)
    }

    @Test func zeroedMemoryIsZeroAlsoWhereItWasUsedBefore() throws {
      let used = try #require(malloc(500))
      memset(used, 7, 500)
      free(used)
      let zeroed = try #require(calloc(50, 10))
      #expect(UnsafeRawBufferPointer(start: zeroed, count: 500).allSatisfy { $0 == 0 })
      free(zeroed)
    }

    @Test func whatIsTooLargeIsRefused() {
      #expect(malloc(Int.max) == nil)
      #expect(calloc(Int.max, 3) == nil)
    }

    private func sqliteIsReady() { _ = AllocationCheck.sqliteAllocations(count: 1) }
  }
#endif
