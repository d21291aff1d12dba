#!/usr/bin/env python3
"""Prints how large tables are in the variants that the article on the format of the file describes.

Usage: python3 Benchmarks/sizes.py

The tables have the schemas of Format.md. They are filled through Python's sqlite3 in the order of row IDs, without the
library, and without the library's own tables and triggers.
"""

import os
import sqlite3
import tempfile

COUNT = 100_000
# The highest store number: row IDs of nine bytes, which is the maximum.
STORE = 2 ** 31 - 1

JOIN_TABLE = """
CREATE TABLE "magic_Order.lines" (
  "owner" INTEGER NOT NULL, "position" INTEGER NOT NULL, "target" INTEGER NOT NULL,
  PRIMARY KEY ("owner", "position")) WITHOUT ROWID;
CREATE INDEX "magic_Order.lines(target, owner)" ON "magic_Order.lines" ("target", "owner");
"""
INSERT_LINK = 'INSERT INTO "magic_Order.lines" VALUES (?, ?, ?)'
ORDER = 'CREATE TABLE "Order" ("z_index" INTEGER PRIMARY KEY, "customer" TEXT NOT NULL);'
LINE = '"z_index" INTEGER PRIMARY KEY, "article" TEXT NOT NULL, "pieces" INTEGER NOT NULL'


def size(schema, *inserts):
    """The bytes of a file with the rows that the inserts, pairs of a statement and rows, add."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "sizes.sqlite3")
        connection = sqlite3.connect(path, isolation_level=None)
        connection.executescript("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = OFF;")
        connection.executescript(schema)
        connection.execute("BEGIN")
        for statement, rows in inserts:
            connection.executemany(statement, rows)
        connection.execute("COMMIT")
        connection.close()
        return os.path.getsize(path)


def position(index, store):
    """The position of a member of a new list."""
    return (index + 1 << 36 | store & 0xFFFF) if store else index + 1 << 24


def rows(store=0):
    schema = 'CREATE TABLE "Person" ("z_index" INTEGER PRIMARY KEY, "name" TEXT NOT NULL);'
    return size(schema, ('INSERT INTO "Person" VALUES (?, ?)',
                         (((store << 32) + row, "x" * 110) for row in range(1, COUNT + 1))))


def links(members, store=0, inserted_by=None):
    """Join rows: lists of as many members, which have the row IDs from 1 on."""
    base, number = store << 32, store if inserted_by is None else inserted_by
    return size(JOIN_TABLE, (INSERT_LINK, ((base + 1 + index // members, position(index % members, number),
                                            base + 1 + index) for index in range(COUNT))))


def primary(is_row_id):
    columns = '"z_index" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "crew" INTEGER NOT NULL'
    if is_row_id:
        return size('CREATE TABLE "Ship" (%s);' % columns, (
            'INSERT INTO "Ship" VALUES (?, ?, ?)',
            ((row, "x" * 10, row % 100) for row in range(1, COUNT + 1))))
    schema = 'CREATE TABLE "Ship" (%s, "id" INTEGER NOT NULL); CREATE UNIQUE INDEX "Ship(id) unique" ON "Ship" ("id");'
    return size(schema % columns, (
        'INSERT INTO "Ship" VALUES (?, ?, ?, ?)',
        ((row, "x" * 10, row % 100, row) for row in range(1, COUNT + 1))))


def orders(is_owned):
    """Orders of ten lines each, with the lines."""
    inserts = [('INSERT INTO "Order" VALUES (?, ?)', ((row, "") for row in range(1, COUNT // 10 + 1)))]
    lines = [(index + 1, "x" * 12, index % 1_000) for index in range(COUNT)]
    owners = [(1 + index // 10, position(index % 10, 0)) for index in range(COUNT)]
    if is_owned:
        schema = ORDER + """
            CREATE TABLE "Line" (%s, "Order.lines owner" INTEGER, "Order.lines position" INTEGER);
            CREATE UNIQUE INDEX "magic_Order.lines(owner, position)"
              ON "Line" ("Order.lines owner", "Order.lines position") WHERE "Order.lines owner" IS NOT NULL;
            """ % LINE
        inserts.append(('INSERT INTO "Line" VALUES (?, ?, ?, ?, ?)', (a + b for a, b in zip(lines, owners))))
    else:
        schema = ORDER + 'CREATE TABLE "Line" (%s);' % LINE + JOIN_TABLE
        inserts.append(('INSERT INTO "Line" VALUES (?, ?, ?)', lines))
        inserts.append((INSERT_LINK, (owner + line[:1] for owner, line in zip(owners, lines))))
    return size(schema, *inserts)


def main():
    print("SQLite %s\n" % sqlite3.sqlite_version)
    print("| 100,000 | | MB | | MB |\n|---|---|---:|---|---:|")
    for what, first, before, second, after in [
        ("rows with a text of 110 bytes", "not shared", rows(), "shared", rows(STORE)),
        ("join rows of 10,000 lists", "not shared", links(10), "shared", links(10, STORE)),
        ("the same, inserted before the database was shared", "not shared", links(10), "shared",
         links(10, STORE, inserted_by=0)),
        ("join rows of one list", "not shared", links(COUNT), "shared", links(COUNT, STORE)),
        ("rows with an `Int` primary, a text of 10 bytes and an integer",
         "a column", primary(False), "`.rowID`", primary(True)),
        ("lines of 10,000 orders, and the orders", "join table", orders(False), "`.owned`", orders(True)),
    ]:
        print("| %s | %s | %.1f | %s | %.1f |" % (what, first, before / 1e6, second, after / 1e6))


if __name__ == "__main__":
    main()
