import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Tables of other programs that become the tables of types.
@Suite struct AdoptionTests {
  let scratch = Scratch()

  private func expectNorthwind(_ store: MagicObjectStore) throws {
    let orders = try store.object(of: Northwind.Order.self)
    #expect(orders.map(\.id) == [10248, 10249])
    #expect(orders.map(\.customer.id) == ["BERGS", "ALFKI"])
    #expect(orders.map(\.customer.name) == ["Berglunds", "Alfreds"])
    #expect(orders.map { $0.employee?.name } == ["Buchanan", nil])
    #expect(orders.map { "\($0.freight)" } == ["32.38", "11"])
    #expect(orders.map(\.date.timeIntervalSince1970) == [0, 1_000_000_000.5])
    let lines = try store.object(of: Northwind.Line.self)
    #expect(lines.map(\.order.id) == [10248, 10248, 10249])
    #expect(lines.map(\.quantity) == [12, 10, 9])
    let employees = try store.object(of: Northwind.Employee.self)
    #expect(employees.map(\.id) == [2, 5, 9])
    #expect(employees.map { $0.manager?.id } == [nil, 2, 5])
    #expect(employees.map(\.active) == [true, false, true])
    #expect(
      employees.map { $0.hired?.timeIntervalSince1970 }
        == [713_750_400.25, 750_816_000, 784_857_600])
    #expect(
      employees.map { $0.territories.map(\.name).sorted() }
        == [["Neward", "Westboro"], ["Westboro"], []])
    let territories = try store.object(of: Northwind.Territory.self)
    #expect(territories.map(\.code) == ["01581", "01730", "19713"])
    #expect(try store.object(of: Northwind.Customer.self).count == 3)
    #expect(try store.verify().findings == [])
    for type in Northwind.types {
      #expect(try store.migrationPlan(for: type).isEmpty)
    }
  }

  private func tables() throws -> [String] {
    try scratch.raw().texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'magic%' "
        + "AND name NOT LIKE 'sqlite%' ORDER BY name COLLATE NOCASE")
  }

  @Test func aDatabaseIsAdoptedInOneMigration() throws {
    try scratch.foreign(Northwind.sql)
    try scratch.using { store throws in
      let plan = try store.migrate(Northwind.types)
      #expect(plan.refused.isEmpty)
      #expect(plan.kind == .rewriting)
      try expectNorthwind(store)
    }
    #expect(try tables() == ["Customers", "Employee", "Line", "Order", "territories"])
    #expect(
      try scratch.raw().texts("SELECT name FROM sqlite_master WHERE name = 'OrdersCustomer'") == [])
    try scratch.using { store throws in try expectNorthwind(store) }
  }

  /// The types in any order, each adopted by its first use or in a migration of its own.
  @Test(arguments: [
    [0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [3, 0, 4, 2, 1], [2, 4, 0, 1, 3], [1, 4, 2, 3, 0],
  ]) func tablesAreAdoptedInAnyOrder(_ order: [Int]) throws {
    try scratch.foreign(
      Northwind.sql.replacingOccurrences(
        of: "TEXT REFERENCES Customers", with: "TEXT REFERENCES Customers (CustomerID)"
      )
      .replacingOccurrences(
        of: "NVARCHAR REFERENCES Territories", with: "NVARCHAR REFERENCES Territories (territoryid)"
      ))
    for index in order {
      try scratch.using { store throws in try store.migrate([Northwind.types[index]]) }
    }
    try scratch.using { store throws in try expectNorthwind(store) }
  }

  @Test(arguments: [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]])
  func oneMigrationAdoptsTablesInAnyOrder(_ order: [Int]) throws {
    try scratch.foreign(Northwind.sql)
    try scratch.using { store throws in
      try store.migrate(order.map { Northwind.types[$0] })
      try expectNorthwind(store)
    }
  }

  @Test func theFirstUseAdoptsATable() throws {
    try scratch.foreign(Northwind.sql)
    try scratch.using { store throws in
      #expect(try store.object(of: Northwind.Line.self).map(\.order.customer.id).count == 3)
      try expectNorthwind(store)
    }
  }

  @Test func numbersThatWereUsedAreNotAssignedAgain() throws {
    try scratch.foreign(Northwind.sql)
    try scratch.using { store throws in
      try store.migrate(Northwind.types)
      let employee = Northwind.Employee()
      employee.active = true
      #expect(try store.update(employee).rawValue == 41)
      #expect(employee.id == 41)
      let order = Northwind.Order()
      order.customer = try #require(try store.object(of: Northwind.Customer.self).first)
      order.freight = 1
      order.date = Date(timeIntervalSince1970: 0)
      try store.update(order)
      #expect(order.id == 10250)
    }
  }

  @Test func aNewDatabaseHasNothingToAdopt() throws {
    try scratch.using { store throws in
      let customer = Northwind.Customer()
      customer.name = "New"
      customer.id = "NEW"
      try store.update(customer)
      #expect(try store.object(of: Northwind.Customer.self).map(\.id) == ["NEW"])
      #expect(try store.migrationPlan(for: Northwind.types).isEmpty)
    }
  }

  @Test func thePlanHasTheStatements() throws {
    try scratch.foreign(
      """
      CREATE TABLE Customers (CustomerID TEXT PRIMARY KEY, CompanyName TEXT);
      INSERT INTO Customers VALUES ('ALFKI', 'Alfreds')
      """)
    let before = try scratch.raw().dump()
    let plan = try scratch.using { store in try store.migrationPlan(for: Northwind.Customer.self) }
    #expect(try scratch.raw().dump() == before)
    #expect(plan.steps.map(\.kind) == [.rewriting, .rewriting])
    #expect(
      plan.description.hasPrefix(
        """
        1. rewriting: Customer: step 1, the rows of the table Customers are adopted
          CREATE TABLE "magic_new Customers" ("z_index" INTEGER PRIMARY KEY, "id", "companyname");
          INSERT INTO "magic_new Customers" SELECT row."z_index", row."CustomerID" AS "id", \
        row."CompanyName" AS "companyname" FROM (SELECT rowid AS "z_index", * FROM "Customers") AS row \
        ORDER BY 1;
          DROP TABLE "Customers";
          ALTER TABLE "magic_new Customers" RENAME TO "Customers";
        2. rewriting: Customer: the table is rebuilt: id becomes required; companyname becomes required
          CREATE TABLE "magic_new Customers" ("z_index" INTEGER PRIMARY KEY, "id" TEXT NOT NULL, \
        "companyname" TEXT NOT NULL);
        """))
  }
}
