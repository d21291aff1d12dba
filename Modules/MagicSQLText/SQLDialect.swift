/// The dialect of a statement, which decides what its tokens are.
package enum SQLDialect {
  case sqlite, postgreSQL
}
