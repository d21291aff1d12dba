import MagicSQLite

let connection = try SQLiteConnection(path: CommandLine.arguments[1])
try connection.execute("CREATE TABLE person (name TEXT)")
try connection.transaction {
  let insert = try connection.cachedStatement("INSERT INTO person VALUES (?)")
  try insert.bind("Ada", at: 1)
  try insert.run()
}
print(try connection.text("SELECT name FROM person") ?? "no row")
connection.close()
