import MagicDataTesting
import MagicStore
import Testing

/// Row IDs and primaries are not assigned again after the table was rebuilt or renamed.
@Suite struct NumberMigrationTests {
  @Test(arguments: Fixture.allCases) func aRenamedTypeContinuesItsRowIDs(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    #expect(try await copy.migrate(Later.Voucher.self).kind == .rewriting)
    try copy.using { store throws in
      let vouchers = try store.object(of: Later.Voucher.self)
      let numbers = Rows.tickets.without(Rows.ticketsRemoved)
      #expect(vouchers.map(\.number) == numbers)
      #expect(
        vouchers.map { Exact.text($0.caption) } == numbers.map { Exact.text(Sample.text($0)) })
      #expect(vouchers.allSatisfy { !$0.isUsed })
      let voucher = Later.Voucher()
      #expect(try store.update(voucher).rawValue == Int64(Rows.tickets.upperBound + 1))
      #expect(voucher.number == Rows.tickets.upperBound + 1)
      #expect(try store.verify().findings == [])
    }
  }

  @Test(arguments: Fixture.allCases) func aRebuiltTableContinuesItsRowIDs(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Ticket.self)
    try copy.using { store throws in
      let ticket = Later.Ticket()
      #expect(try store.update(ticket).rawValue == Int64(Rows.tickets.upperBound + 1))
      #expect(ticket.number == Rows.tickets.upperBound + 1)
    }
  }

  @Test(arguments: Fixture.allCases) func anEmptyTableContinuesItsRowIDs(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    #expect(try await copy.migrate(Later.Draft.self).kind == .rewriting)
    try copy.using { store throws in
      let draft = Later.Draft(pages: 1)
      #expect(try store.update(draft).rawValue == Int64(Rows.drafts.upperBound + 1))
      #expect(draft.number == Rows.drafts.upperBound + 1)
    }
  }

  @Test(arguments: Fixture.allCases) func everyRowIsAssignedANewPrimary(
    _ fixture: Fixture
  ) async throws {
    let copy = try fixture.copy()
    try await copy.migrate(Later.Stamp.self)
    try copy.using { store throws in
      let stamps = try store.object(of: Later.Stamp.self)
      let numbers = Rows.stamps.without(Rows.stampsRemoved)
      #expect(stamps.map(\.value) == numbers.map { Double($0) })
      #expect(stamps.map { Exact.text($0.picture) } == numbers.map { Exact.text(Sample.text($0)) })
      #expect(stamps.compactMap(\.zIndex?.rawValue) == numbers.map { Int64($0) })
      #expect(Set(stamps.map(\.number)).count == numbers.count)
      let last = stamps.map(\.number).max() ?? 0
      let stamp = Later.Stamp(value: 0.5)
      #expect(try store.update(stamp).rawValue == Int64(Rows.stamps.upperBound + 1))
      #expect(stamp.number > last)
    }
  }
}
