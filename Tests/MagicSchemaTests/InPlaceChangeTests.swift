import Foundation
import MagicSchema
import Testing

private struct Basket: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue var list: [Int] = []
  @MagicValue var set: Set<Int> = []
  @MagicValue var names: [String: Int] = [:]
  @MagicValue var count: Int = 0
  @MagicValue var text: String = ""
  @OptionMagicValue var extra: [Int]?

  init() {}
}

private final class Tally: MagicObject, @unchecked Sendable {
  @MagicValue var count: Int = 0
  @OptionMagicValue var maybe: Int? = 0

  init() {}
}

@Suite struct InPlaceChangeTests {
  @Test func appendingDoesNotCopyTheList() {
    let basket = Basket()
    basket.list.reserveCapacity(1_000)
    let address = basket.list.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    for number in 0..<1_000 { basket.list.append(number) }
    #expect(basket.list.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } == address)
    #expect(basket.list == Array(0..<1_000))
  }

  @Test func fortyThousandAppendsTakeNoQuadraticTime() {
    let basket = Basket()
    let start = ContinuousClock.now
    for number in 0..<40_000 {
      basket.list.append(number)
      basket.set.insert(number)
      basket.names["\(number & 1023)", default: 0] += 1
    }
    // With a copy for each change this takes minutes.
    #expect(ContinuousClock.now - start < .seconds(60))
    #expect(basket.list.count == 40_000)
    #expect(basket.set.count == 40_000)
    #expect(basket.names.count == 1_024)
  }

  @Test func setsChangeInPlace() {
    let basket = Basket()
    #expect(basket.set.insert(1).inserted)
    #expect(!basket.set.insert(1).inserted)
    #expect(basket.set.remove(1) == 1)
    #expect(basket.set.remove(1) == nil)
    #expect(basket.set.isEmpty)
  }

  @Test func anOptionalChangesInPlace() {
    let basket = Basket()
    basket.extra?.append(1)
    #expect(basket.extra == nil)
    basket.extra = []
    for number in 0..<100 { basket.extra?.append(number) }
    #expect(basket.extra?.count == 100)
  }

  @Test func aPrimaryChangesInPlace() {
    let basket = Basket()
    basket.number += 7
    #expect(basket.number == 7)
  }

  @Test func aChangeThatThrowsKeepsItsEarlierChanges() {
    struct Surprise: Error {}
    func change(_ list: inout [Int]) throws {
      list.append(1)
      throw Surprise()
    }
    let basket = Basket()
    #expect(throws: Surprise.self) { try change(&basket.list) }
    #expect(basket.list == [1])
    basket.list.append(2)
    #expect(basket.list == [1, 2])
  }

  @Test func twoPropertiesOfOneObjectMayChangeTogether() {
    let basket = Basket()
    swap(&basket.list[safely: 0], &basket.extra[safely: 0])
    func both(_ first: inout Int, _ second: inout String) {
      first = 1
      second = "\(basket.list.count)"
    }
    both(&basket.count, &basket.text)
    #expect(basket.count == 1)
    #expect(basket.text == "0")
  }

  @Test func concurrentAdditionsAreAllCounted() async {
    let basket = Basket()
    let tally = Tally()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          basket.count += 1
          tally.count += 1
          tally.maybe? += 1
          basket.list.append(number)
          basket.set.insert(number)
        }
      }
    }
    #expect(basket.count == 1_000)
    #expect(tally.count == 1_000)
    #expect(tally.maybe == 1_000)
    #expect(basket.list.sorted() == Array(0..<1_000))
    #expect(basket.set.count == 1_000)
  }

  @Test func concurrentChangesOfOnePropertyLoseNothing() {
    let basket = Basket()
    basket.extra = [0]
    // Separate threads: tasks of a busy pool are rarely concurrent.
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      Thread {
        for _ in 0..<50_000 {
          basket.count += 1
          basket.extra?[0] += 1
        }
        group.leave()
      }.start()
    }
    group.wait()
    #expect(basket.extra == [200_000])
    #expect(basket.count == 200_000)
  }

  @Test func readsDuringWritesReturnCompleteValues() async {
    let basket = Basket()
    let values = ["", String(repeating: "a", count: 100), String(repeating: "b", count: 1_000)]
    let strangers = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for index in 0..<2_000 { basket.text = values[index % 3] }
          return 0
        }
        group.addTask {
          var strangers = 0
          for _ in 0..<2_000 where !values.contains(basket.text) { strangers += 1 }
          return strangers
        }
      }
      return await group.reduce(0, +)
    }
    #expect(strangers == 0)
  }
}

extension [Int] {
  fileprivate subscript(safely index: Int) -> Int {
    get { indices.contains(index) ? self[index] : 0 }
    set { if indices.contains(index) { self[index] = newValue } }
  }
}

extension [Int]? {
  fileprivate subscript(safely index: Int) -> Int {
    get { self?[safely: index] ?? 0 }
    set { self?[safely: index] = newValue }
  }
}
