import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport

/// A database of another program: text keys, references of several kinds, a table WITHOUT ROWID.
enum Northwind {
  static let sql = #"""
    CREATE TABLE Customers (CustomerID TEXT PRIMARY KEY, CompanyName TEXT NOT NULL, Fax TEXT);
    INSERT INTO Customers VALUES ('ALFKI', 'Alfreds', NULL), ('BERGS', 'Berglunds', NULL),
      ('ANTON', 'Antonio', NULL);
    CREATE TABLE "Employees" (EmployeeID INTEGER PRIMARY KEY AUTOINCREMENT, LastName TEXT,
      ReportsTo INTEGER REFERENCES Employees (EmployeeID), Hired TEXT, Active BOOLEAN);
    INSERT INTO Employees VALUES (2, 'Fuller', NULL, '1992-08-14 00:00:00.250', 1),
      (5, 'Buchanan', 2, '1993-10-17T01:00:00+01:00', 0), (9, 'Dodsworth', 5, '1994-11-15', 1);
    UPDATE sqlite_sequence SET seq = 40;
    CREATE TABLE Territories (TerritoryID NVARCHAR PRIMARY KEY, "Territory ""Name""" NCHAR)
      WITHOUT ROWID;
    INSERT INTO Territories VALUES ('19713', 'Neward'), ('01581', 'Westboro'), ('01730', 'Bedford');
    CREATE TABLE EmployeeTerritories (EmployeeID INTEGER REFERENCES employees,
      TerritoryID NVARCHAR REFERENCES Territories);
    INSERT INTO EmployeeTerritories VALUES (2, '01581'), (2, '19713'), (5, '01581'), (2, '01581');
    CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY, CustomerID TEXT REFERENCES Customers,
      EmployeeID INTEGER, Freight REAL, OrderDate REAL,
      FOREIGN KEY (EmployeeID) REFERENCES Employees (EmployeeID));
    CREATE INDEX OrdersCustomer ON Orders (CustomerID);
    INSERT INTO Orders VALUES (10248, 'BERGS', 5, 32.38, 0), (10249, 'ALFKI', NULL, 11, 1000000000.5);
    CREATE TABLE "Order Details" (OrderID INTEGER NOT NULL REFERENCES Orders (OrderID),
      ProductID INTEGER NOT NULL, Quantity INTEGER NOT NULL, PRIMARY KEY (OrderID, ProductID));
    INSERT INTO "Order Details" VALUES (10248, 11, 12), (10248, 42, 10), (10249, 14, 9);
    """#

  struct Customer: MagicObject {
    @PrimaryMagicValue(.wasNamed("CustomerID")) var id: String
    @MagicValue(.named("companyname")) var name: String

    static let tableName = "Customers"
    static var migrations: Migrations {
      Migrations { MigrationStep { [.adoptTable()] } }
    }

    init() {}
  }

  struct Employee: MagicObject {
    @PrimaryMagicValue(.wasNamed("EmployeeID")) var id: Int
    @OptionMagicValue(.named("LastName")) var name: String?
    @OptionMagicValue(.wasNamed("ReportsTo")) var manager: Employee?
    @OptionMagicValue var hired: Date?
    @MagicValue var active: Bool
    @MagicValue var territories: MagicalSet<Territory> = []

    static var migrations: Migrations {
      Migrations {
        MigrationStep {
          [
            .adoptTable("employees", dates: .iso8601),
            .adoptJoinTable("EmployeeTerritories", as: "territories"),
          ]
        }
      }
    }

    init() {}
  }

  struct Territory: MagicObject {
    @PrimaryMagicValue(.wasNamed("TerritoryID")) var code: String
    @MagicValue(.wasNamed("territory \"name\"")) var name: String

    static let tableName = "territories"
    static var migrations: Migrations {
      Migrations { MigrationStep { [.adoptTable()] } }
    }

    init() {}
  }

  struct Order: MagicObject {
    @PrimaryMagicValue(.rowID, .wasNamed("OrderID")) var id: Int
    @MagicValue(.wasNamed("CustomerID")) var customer: Customer
    @OptionMagicValue(.wasNamed("EmployeeID")) var employee: Employee?
    @MagicValue var freight: Decimal
    @MagicValue(.wasNamed("OrderDate")) var date: Date

    static let tableName = "Order"
    static var migrations: Migrations {
      Migrations { MigrationStep { [.adoptTable("Orders", dates: .unixSeconds)] } }
    }

    init() {}
  }

  struct Line: MagicObject {
    @MagicValue(.wasNamed("OrderID")) var order: Order
    @MagicValue(.wasNamed("ProductID")) var product: Int
    @MagicValue var quantity: Int

    static var migrations: Migrations {
      Migrations { MigrationStep { [.adoptTable("Order Details")] } }
    }

    init() {}
  }

  static let types: [any MagicObject.Type] = [
    Customer.self, Employee.self, Territory.self, Order.self, Line.self,
  ]
}

extension Scratch {
  /// Runs SQL on a file of another program, which is created if it does not exist.
  func foreign(_ sql: String) throws {
    let connection = try SQLiteConnection(
      path: file(), configuration: SQLiteConfiguration(access: .readWrite))
    try connection.execute(sql)
  }
}
