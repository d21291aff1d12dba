import Testing

@testable import MagicGraph

/// The orders of join objects.
@Suite struct JoinOrdersTests {
  @Test func newOnesAtTheEndFollowTheLast() {
    #expect(JoinOrders.changes(of: [nil, nil]) == [0, 1])
    #expect(JoinOrders.changes(of: [3, nil, nil]) == [nil, 4, 5])
    #expect(JoinOrders.changes(of: []) == [])
  }

  @Test func newOnesAtTheFrontPrecedeTheFirst() {
    #expect(JoinOrders.changes(of: [nil, nil, 5]) == [3, 4, nil])
    #expect(JoinOrders.changes(of: [nil, 0, 1]) == [-1, nil, nil])
  }

  @Test func theFollowingOnesMakeRoom() {
    #expect(JoinOrders.changes(of: [0, nil, 9]) == [nil, 1, nil])
    #expect(JoinOrders.changes(of: [0, nil, 1, 2, 8]) == [nil, 1, 2, 3, nil])
    #expect(JoinOrders.changes(of: [4, nil, nil, 4, 4]) == [nil, 5, 6, 7, 8])
  }

  @Test func storedOrdersAreKept() {
    #expect(JoinOrders.changes(of: [0, 0, 7, 3]) == [nil, nil, nil, nil])
    #expect(JoinOrders.changes(of: [7, 3, nil]) == [nil, nil, 8])
  }

  @Test func ordersThatDoNotFitAreNumberedAgain() {
    #expect(JoinOrders.changes(of: [.max, nil]) == [0, 1])
    #expect(JoinOrders.changes(of: [nil, .min]) == [0, 1])
    #expect(JoinOrders.changes(of: [0, .max - 1, nil, .max]) == [nil, 1, 2, 3])
  }
}
