/// The tables and functions of assets. The server counts the rows that name an asset, so that it is
/// also deleted after a cascade and after SQL beside the library.
package enum AssetTables {
  /// The size of a piece, in bytes.
  package static let pieceSize = 256 << 10

  static let create = [
    """
    CREATE TABLE IF NOT EXISTS magic_assets (\
    name text COLLATE "C" PRIMARY KEY, size bigint NOT NULL, uses bigint NOT NULL DEFAULT 0)
    """,
    """
    CREATE TABLE IF NOT EXISTS magic_asset_data (\
    name text COLLATE "C" NOT NULL REFERENCES magic_assets ON DELETE CASCADE, \
    part bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (name, part))
    """,
    // Most assets are compressed already, and a part of an uncompressed value can be read alone.
    "ALTER TABLE magic_asset_data ALTER COLUMN bytes SET STORAGE EXTERNAL",
    // Counts the uses when a row is inserted, changed or deleted. The argument is the column.
    """
    CREATE OR REPLACE FUNCTION magic_count_asset() RETURNS trigger LANGUAGE plpgsql \
    SET search_path FROM CURRENT AS $$ \
    DECLARE before text; after text; \
    BEGIN \
    IF TG_OP <> 'INSERT' THEN EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO before USING OLD; \
    END IF; \
    IF TG_OP <> 'DELETE' THEN EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO after USING NEW; \
    END IF; \
    IF before IS DISTINCT FROM after THEN \
    UPDATE magic_assets SET uses = uses + 1 WHERE name = after AND after <> ''; \
    UPDATE magic_assets SET uses = uses - 1 WHERE name = before AND before <> ''; \
    END IF; \
    RETURN NULL; \
    END $$
    """,
    """
    CREATE OR REPLACE FUNCTION magic_delete_asset() RETURNS trigger LANGUAGE plpgsql \
    SET search_path FROM CURRENT AS $$ \
    BEGIN \
    DELETE FROM magic_assets WHERE name = NEW.name AND uses = 0; \
    RETURN NULL; \
    END $$
    """,
    "DROP TRIGGER IF EXISTS magic_delete_asset ON magic_assets",
    // At the end of the transaction, because another row may use the asset until then.
    """
    CREATE CONSTRAINT TRIGGER magic_delete_asset AFTER UPDATE ON magic_assets \
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.uses = 0) \
    EXECUTE FUNCTION magic_delete_asset()
    """,
  ]
}
