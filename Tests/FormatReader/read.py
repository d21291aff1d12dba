"""Prints every value of every object in a MagicData database, one JSON object a line.

Usage: python3 read.py FILE
       python3 read.py --search FILE    prints the words in the search indexes, and the rows in their logs

This program knows only what Format.md says. It is the proof that the format can be read without the library.
"""

import base64
import datetime
import json
import math
import os
import pathlib
import re
import sqlite3
import sys
import uuid
from collections import namedtuple
from fractions import Fraction

NEWEST_FORMAT = 3

STORAGE_CLASS = {str: "TEXT", int: "INTEGER", float: "REAL", bytes: "BLOB"}

# The form of a column that magic_columns does not describe, by the declared type of the column.
FORM_OF_DECLARED_TYPE = {"TEXT": "text", "INTEGER": "integer", "": "real", "BLOB": "data"}

# The storage class of a form's values. An enum may have any, and so may a form of a later version.
CLASS_OF_FORM = {
    "text": str, "integer": int, "real": float, "bool": int, "date": float, "uuid": str, "url": str, "decimal": str,
    "duration": str, "data": bytes, "uuid-bytes": bytes, "json": bytes, "asset": str, "vector": bytes, "one": int,
}

COLLECTIONS = ("list", "set", "dictionary")
KNOWN_FORMS = {"enum", "inverse", "through", *COLLECTIONS, *CLASS_OF_FORM}

ASSET_NAME = re.compile(r"[0-9a-f]{16}/[0-9a-f]{16}-([0-9a-f]+)(\.[A-Za-z0-9._-]+)?")

DURATION = re.compile(r"(-?)([0-9]{19})\.([0-9]{18})", re.ASCII)

# A property of a type: a column, a collection in a join table or through a join type, or an inverse relationship.
Property = namedtuple("Property", "name column form details")


class FormatError(Exception):
    """The file is not a database of this format, or a value in it is not as the format says."""


def as_json(value):
    """JSON text, which all functions for values return."""
    if isinstance(value, float) and not math.isfinite(value):
        return json.dumps(str(value))  # JSON has no infinity.
    return json.dumps(value, ensure_ascii=False)


def date(seconds):
    """ISO 8601 in UTC with microseconds, in the Gregorian calendar also before 1582."""
    if not math.isfinite(seconds):
        return as_json(seconds)
    # The calendar repeats after 400 years. So years before 1 and after 9999 work too.
    cycles, rest = divmod(round(Fraction(seconds) * 1_000_000), 146_097 * 86_400 * 1_000_000)
    moment = datetime.datetime(2001, 1, 1) + datetime.timedelta(microseconds=rest)
    return as_json("%04d" % (moment.year + 400 * cycles) + moment.strftime("-%m-%dT%H:%M:%S.%fZ"))


def asset(name):
    match = ASSET_NAME.fullmatch(name)
    if name and not match:
        raise FormatError("%r is not the name of an asset's file" % name)
    return as_json({"name": name, "size": int(match.group(1), 16) if match else None})


def duration(text):
    """The seconds as decimal text, with all attoseconds."""
    match = DURATION.fullmatch(text)
    if not match:
        raise FormatError("%r is not a duration" % text)
    negative, seconds, fraction = match.groups()
    total = int(seconds + fraction) - (10 ** 37 if negative else 0)
    return as_json("%s%d.%018d" % ("-" if negative else "", *divmod(abs(total), 10 ** 18)))


def uuid_bytes(data):
    if len(data) != 16:
        raise FormatError("a UUID has 16 bytes, not %d" % len(data))
    return as_json(str(uuid.UUID(bytes=data)).upper())


def json_document(data):
    """The document as it is stored, because a number in it may have more digits than Python's float."""
    text = data.decode("utf-8")
    json.loads(text)
    return re.sub(r"[\r\n]", " ", text)


def truth(number):
    if number not in (0, 1):
        raise FormatError("%d is not a Bool, which is 0 or 1" % number)
    return as_json(number == 1)


RENDERERS = {"date": date, "duration": duration, "asset": asset, "json": json_document, "bool": truth,
             "uuid": lambda text: as_json(text.upper()), "uuid-bytes": uuid_bytes}


def rendered(form, stored):
    if stored is None:
        return "null"
    expected = CLASS_OF_FORM.get(form, type(stored))
    if expected is float and isinstance(stored, int) and int(float(stored)) == stored:
        stored = float(stored)  # Another tool may have written an integer.
    if not isinstance(stored, expected):
        raise FormatError("the storage class is %s, but the form %s has %s" % (
            STORAGE_CLASS[type(stored)], form, STORAGE_CLASS[expected]))
    if form in RENDERERS:
        return RENDERERS[form](stored)
    if isinstance(stored, bytes):
        return as_json(base64.b64encode(stored).decode("ascii"))
    return as_json(stored)


def quoted(name):
    return '"%s"' % name.replace('"', '""')


def owned_columns(table, name):
    """The columns of an owned list, in the table of its members."""
    path = ".".join(quoted(part) if "." in part or '"' in part else part for part in (table, name))
    return path + " owner", path + " position"


class Database:
    def __init__(self, path):
        self.connection = opened(path)
        version = self.format_version()
        if version > NEWEST_FORMAT:
            raise FormatError("the file has format %d; this program reads up to %d" % (version, NEWEST_FORMAT))
        self.types = dict(self.rows("SELECT table_name, type_name FROM magic_catalogue"))
        self.relationships = {}
        if self.has_table("magic_relationships"):
            columns = "owner_table, property, kind, target_table, link_table"
            for row in self.rows("SELECT %s FROM magic_relationships" % columns):
                self.relationships[row[:2]] = row[2:]
        has_assets = self.has_table("magic_asset_columns")
        self.asset_columns = self.rows("SELECT table_name, column_name FROM magic_asset_columns") if has_assets else []
        self.described = self.descriptions() if version >= 3 else {}

    def rows(self, sql, *values):
        return self.connection.execute(sql, values).fetchall()

    def has_table(self, name):
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE", name))

    def format_version(self):
        if not self.has_table("magic_format"):
            raise FormatError("the file has no table magic_format: not a MagicData database, or nothing was saved")
        return self.rows("SELECT version FROM magic_format")[0][0]

    def descriptions(self):
        """The properties of each table, from magic_columns."""
        tables = {}
        for table, name, column, form, details in self.rows(
                "SELECT table_name, property, column_name, form, details FROM magic_columns"):
            details = json.loads(details) if details else {}
            tables.setdefault(table, []).append(Property(name, column, form, details))
        return tables

    def schema(self, table, columns):
        """The properties of a table without description, from its schema and its relationships."""
        owned = {name for key, (kind, target, _) in self.relationships.items() if kind == "owned" and target == table
                 for name in owned_columns(*key)}
        for column, declared in columns.items():
            if column in owned:
                continue
            if (table, column) in self.relationships:
                yield Property(column, column, "one", {})
            elif (table, column) in self.asset_columns:
                yield Property(column, column, "asset", {})
            elif column != "z_index":
                yield Property(column, column, FORM_OF_DECLARED_TYPE.get(declared.upper(), declared), {})
        for (owner, name), (kind, _, _) in self.relationships.items():
            if owner == table and kind in COLLECTIONS + ("owned",):
                yield Property(name, name, "list" if kind == "owned" else kind, {})

    def properties(self, table):
        columns = {row[1]: row[2] for row in self.rows("PRAGMA table_info(%s)" % quoted(table))}
        found = self.described.get(table) or self.schema(table, columns)
        # A form of a later version may be stored in another way than in a column.
        return sorted(each for each in found if each.form in KNOWN_FORMS or each.column in columns)

    def lines(self):
        for table in sorted(filter(self.has_table, self.types)):
            properties = self.properties(table)
            columns = [each.column for each in properties if each.form not in COLLECTIONS + ("inverse", "through")]
            # With the table's name, because SQLite takes an unknown name in quotes for a text.
            names = ", ".join(quoted(table) + "." + quoted(column) for column in ["z_index"] + columns)
            for row in self.connection.execute("SELECT %s FROM %s ORDER BY 1" % (names, quoted(table))):
                stored = dict(zip(columns, row[1:]))
                for each in properties:
                    head = {"table": table, "row": row[0], "type": self.types[table],
                            "property": each.name, "form": each.form}
                    try:
                        value = self.value(table, row[0], each, stored)
                    except (FormatError, ValueError) as error:
                        raise FormatError("%s.%s of row %d: %s" % (table, each.name, row[0], error))
                    yield as_json(head)[:-1] + ', "value": ' + value + "}"

    def search_indexes(self):
        """The name of each search index, its type's table, and the names of its columns by their kinds and names."""
        for log, in self.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'magic_search(*) log'"
                              " ORDER BY name"):
            index = log[:-len(" log")]
            names = [row[1] for row in self.rows("PRAGMA table_info(%s)" % quoted(log))]
            if names[:2] != ["z_index", "is_indexed"] or not all(name[:2] in ("t ", "f ", "l ") for name in names[2:]):
                raise FormatError("the log of %s has other columns: %s" % (index, names))
            yield index, index[len("magic_search("):-1], names[2:]

    def search_lines(self):
        for index, table, columns in self.search_indexes():
            head = {"table": table, "type": self.types[table]}
            words = {}
            self.connection.execute(
                "CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, '%s', instance)" % index.replace("'", "''"))
            for row, column, word in self.rows("SELECT doc, col, term FROM words ORDER BY doc, col, offset"):
                name = columns[int(column[1:])]
                words.setdefault(row, {}).setdefault(name, []).append(word)
            self.connection.execute("DROP TABLE temp.words")
            for row in sorted(words):
                yield as_json(dict(head, row=row, words=words[row]))
            for row, is_indexed, *texts in self.rows("SELECT * FROM %s ORDER BY z_index" % quoted(index + " log")):
                texts = [text.decode("utf-8") if isinstance(text, bytes) else text for text in texts]
                yield as_json(dict(head, row=row, isIndexed=truth(is_indexed) == "true",
                                   old=dict(zip(columns, texts))))

    def value(self, table, row, each, stored):
        if each.form == "inverse":
            return self.inverse(row, each.details)
        if each.form == "through":
            return self.through(row, each.details)
        if each.form in COLLECTIONS:
            return self.collection(table, row, each)
        if each.form == "one" and stored[each.column] is not None:
            _, target, _ = self.relationships[table, each.column]
            return as_json({"table": target, "row": stored[each.column]})
        return rendered(each.form, stored[each.column])

    def collection(self, table, row, each):
        _, target, _ = self.relationships[table, each.column]
        order = {"list": "position", "set": "target", "dictionary": "key"}[each.form]
        members = self.rows('SELECT "%s", "target" FROM %s WHERE "owner" = ? ORDER BY 1' % (
            order, self.links(table, each.column)), row)
        if each.form != "dictionary":
            return as_json([{"table": target, "row": member} for _, member in members])
        form = each.details.get("keys")
        return "[%s]" % ", ".join(
            '{"key": %s, "table": %s, "row": %d}' % (rendered(form, key), as_json(target), member)
            for key, member in members)

    def links(self, table, column):
        """The join rows of a collection, for a FROM clause."""
        kind, target, join_table = self.relationships[table, column]
        if kind != "owned":
            return quoted(join_table)
        owner, position = map(quoted, owned_columns(table, column))
        return '(SELECT %s AS "owner", %s AS "position", "z_index" AS "target" FROM %s)' % (
            owner, position, quoted(target))

    def join_type(self, details):
        """The columns of a join type that refer to the owner and the member, and the order."""
        table = details["table"]
        columns = {each.name: each.column for each in self.described.get(table, [])}
        owner, target = (columns.get(details[key], details[key]) for key in ("property", "target"))
        order = details.get("order")
        return owner, target, columns.get(order, order) if order else "z_index"

    def through(self, row, details):
        """The rows that the objects of a join type connect with this row."""
        table = details["table"]
        if not self.has_table(table):
            return "[]"
        owner, target, order = self.join_type(details)
        if details["collection"] == "set":
            sql = "SELECT DISTINCT %s FROM %s WHERE %s = ? AND %s IS NOT NULL ORDER BY 1" % (
                quoted(target), quoted(table), quoted(owner), quoted(target))
        else:
            sql = 'SELECT %s FROM %s WHERE %s = ? AND %s IS NOT NULL ORDER BY %s, "z_index"' % (
                quoted(target), quoted(table), quoted(owner), quoted(target), quoted(order))
        members = self.relationships[table, target][1]
        return as_json([{"table": members, "row": member} for member, in self.rows(sql, row)])

    def inverse(self, row, details):
        """The rows whose relationship refers to this row; null if the relationship is not known."""
        table, name = details.get("table"), details.get("property")
        column = next((each.column for each in self.described.get(table, []) if each.name == name), name)
        through = next((each.details for each in self.described.get(table, [])
                        if each.name == name and each.form == "through"), None)
        if through:
            owner, target, _ = map(quoted, self.join_type(through))
            sql = "SELECT DISTINCT %s FROM %s WHERE %s = ? AND %s IS NOT NULL ORDER BY 1" % (
                owner, quoted(through["table"]), target, owner)
            return as_json([{"table": table, "row": owner} for owner, in self.rows(sql, row)])
        if (table, column) not in self.relationships:
            return "null" if table in self.types else "[]"
        kind, _, _ = self.relationships[table, column]
        if kind == "one":
            sql = 'SELECT "z_index" FROM %s WHERE %s = ? ORDER BY 1' % (quoted(table), quoted(column))
        else:
            sql = 'SELECT DISTINCT "owner" FROM %s WHERE "target" = ? ORDER BY 1' % self.links(table, column)
        return as_json([{"table": table, "row": owner} for owner, in self.rows(sql, row)])


def opened(path):
    """A read-only connection in a transaction, so that all lines are of one commit."""
    if not os.path.isfile(path):
        raise FormatError("no such file")
    try:
        return connected(path, "mode=ro")
    except sqlite3.OperationalError:
        # With no or an empty log the file is complete, and can be read where no file can be created.
        if os.path.exists(path + "-wal") and os.path.getsize(path + "-wal") > 0:
            raise
        return connected(path, "immutable=1")


def connected(path, mode):
    address = pathlib.Path(path).resolve().as_uri() + "?" + mode
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    connection.execute("BEGIN")
    connection.execute("SELECT 1 FROM sqlite_master").fetchall()
    return connection


def main(arguments):
    searches = arguments[:1] == ["--search"]
    if len(arguments) != 1 + searches:
        sys.exit("Usage: python3 read.py [--search] FILE")
    path = arguments[-1]
    try:
        database = Database(path)
        for line in database.search_lines() if searches else database.lines():
            sys.stdout.buffer.write(line.encode("utf-8") + b"\n")
    except (FormatError, sqlite3.Error, OSError, ValueError) as error:
        sys.exit("%s cannot be read: %s." % (path, error))
    except (AttributeError, LookupError, RecursionError, TypeError) as error:
        sys.exit("%s is damaged, in the library's tables or in JSON: %r." % (path, error))


if __name__ == "__main__":
    main(sys.argv[1:])
