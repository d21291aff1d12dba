/// The functions of searches.
extension Functions {
  /// The SQLSTATE with which a search fails if rows have changed since the index was updated.
  package static let outdatedIndexState = "MS001"

  /// The beginning of the SQL of a search in a transaction that has updated the index.
  package static let updatedIndexMark = "/* updated */ "

  static let search = [
    // Runs the SQL of a search. The second argument is the table of the type. A write transaction has updated
    // the index before: it marks the SQL, and finds nothing that was committed since.
    """
    CREATE OR REPLACE FUNCTION magic_search(search text, type_table text) \
    RETURNS TABLE (id bigint, score double precision) LANGUAGE plpgsql STABLE STRICT AS $magic$ \
    BEGIN \
    IF NOT starts_with(search, '\(updatedIndexMark)') \
    AND EXISTS (SELECT FROM magic_search_log AS l WHERE l.table_name = type_table) THEN \
    RAISE EXCEPTION 'magic_search: rows have changed' USING ERRCODE = '\(outdatedIndexState)'; END IF; \
    RETURN QUERY EXECUTE search; \
    END $magic$
    """,
    // The score of a phrase as FTS5 computes it: its frequency in the row, the number of words of the
    // row, the number of rows with the phrase, the number of rows and the average number of words.
    expression(
      """
      magic_bm25(frequency double precision, size bigint, found bigint, \
      rows double precision, average double precision)
      """, "double precision",
      """
      greatest(CASE WHEN rows > found THEN ln((rows - found + 0.5) / (found + 0.5)) END, 1e-6) \
      * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * size / average))
      """),
    // Finds the places of phrases that are near each other, as FTS5 does: `lists` contains the places of
    // all phrases, one after the other. Returns the sums of the weights of the places; NULL if there are
    // none. A place contains the column times 2³².
    block(
      """
      magic_near(lists bigint[], counts integer[], lengths integer[], distance bigint, \
      weights double precision[])
      """, "double precision[]",
      """
      DECLARE n integer := cardinality(counts); starts integer[]; ends integer[]; spots integer[]; \
      previous bigint[]; sums double precision[]; total integer := 0; is_match boolean; low bigint; \
      high bigint; following bigint; nearest bigint; advanced integer; has_match boolean := false; \
      BEGIN \
      FOR i IN 1..n LOOP \
      IF counts[i] = 0 THEN RETURN NULL; END IF; \
      starts[i] := total + 1; spots[i] := total + 1; total := total + counts[i]; ends[i] := total; \
      sums[i] := 0; previous[i] := -1; \
      END LOOP; \
      LOOP \
      high := lists[spots[1]]; \
      LOOP \
      is_match := true; \
      FOR i IN 1..n LOOP \
      low := high - lengths[i] - distance; \
      IF lists[spots[i]] < low OR lists[spots[i]] > high THEN \
      is_match := false; \
      WHILE lists[spots[i]] < low LOOP \
      IF spots[i] = ends[i] THEN RETURN CASE WHEN has_match THEN sums END; END IF; \
      spots[i] := spots[i] + 1; \
      END LOOP; \
      high := greatest(high, lists[spots[i]]); \
      END IF; \
      END LOOP; \
      EXIT WHEN is_match; \
      END LOOP; \
      has_match := true; nearest := NULL; advanced := 1; \
      FOR i IN 1..n LOOP \
      IF previous[i] <> lists[spots[i]] THEN \
      previous[i] := lists[spots[i]]; sums[i] := sums[i] + weights[(previous[i] >> 32) + 1]; \
      END IF; \
      following := CASE WHEN spots[i] < ends[i] THEN lists[spots[i] + 1] ELSE 9223372036854775807 END; \
      IF nearest IS NULL OR following < nearest THEN nearest := following; advanced := i; END IF; \
      END LOOP; \
      IF spots[advanced] = ends[advanced] THEN RETURN sums; END IF; \
      spots[advanced] := spots[advanced] + 1; \
      END LOOP; \
      END
      """),
  ]
}
