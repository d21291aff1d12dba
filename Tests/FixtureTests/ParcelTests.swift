import MagicAssets
import MagicRelations
import MagicStore
import Testing

/// Rows that migrations of the same version have changed.
@Suite struct ParcelTests {
  @Test(arguments: Fixture.withMigrations) func everyMigratedRowHasItsExpectedValues(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let parcels = try store.object(of: Parcel.self)
      let numbers = Rows.parcels.without(Rows.parcelsRemoved)
      #expect(parcels.map(\.number) == numbers)
      for (parcel, number) in zip(parcels, numbers) {
        let expected = Parcel(number: number)
        #expect(parcel.grams == expected.grams)
        #expect(Exact.text(parcel.sender) == Exact.text(expected.sender))
        #expect(Exact.text(parcel.content) == Exact.text(expected.content))
        #expect(parcel.rates == expected.rates)
        #expect(Set(parcel.stamps.map(\.value)) == Set(Parcels.stamps(number)))
        let receipt = number > 20 ? nil : Parcels.receipt(number)
        #expect(Exact.text(try parcel.slip?.load()) == Exact.text(receipt))
      }
    }
  }

  @Test(arguments: Fixture.withMigrations) func noRowIDOfAParcelIsAssignedAgain(
    _ fixture: Fixture
  ) throws {
    try fixture.copy().using { store throws in
      let parcel = Parcel(number: 30)
      #expect(try store.update(parcel).rawValue == Int64(Rows.parcels.upperBound + 1))
      #expect(parcel.number == Rows.parcels.upperBound + 1)
      #expect(try store.verify().findings == [])
    }
  }

  enum Outdated {
    struct Parcel: MagicObject {
      @PrimaryMagicValue var number: Int

      static var migrations: Migrations { Migrations { MigrationStep { [] } } }
    }
  }

  @Test(arguments: Fixture.withMigrations) func aTypeOlderThanTheFileIsRefused(
    _ fixture: Fixture
  ) throws {
    let copy = try fixture.copy()
    let before = try copy.bytes
    try copy.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Outdated.Parcel.self) }
      #expect(error?.code == .newerSchema)
    }
    #expect(try copy.bytes == before)
  }
}
