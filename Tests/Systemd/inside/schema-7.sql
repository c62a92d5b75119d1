-- A store as Gate 0.9.0 made it after the first seven steps of its schema, unchanged, with some rows. The present Gate has to
-- open it. BOOT stands for the id of the boot in which it was written, NOW for the seconds since that boot.
PRAGMA journal_mode = WAL;
PRAGMA application_id = 1197569125;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES ('lockouts and audit');
CREATE TABLE meta (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 0),
    boot_id TEXT NOT NULL,
    set_aside TEXT,
    next_presentation INTEGER NOT NULL CHECK (next_presentation >= 1),
    pruned_through INTEGER NOT NULL CHECK (pruned_through >= 0),
    audit_count INTEGER NOT NULL CHECK (audit_count >= 0)
) STRICT;
CREATE TABLE lockout (
    uid INTEGER NOT NULL,
    gate TEXT NOT NULL,
    wrong_answers INTEGER NOT NULL CHECK (wrong_answers >= 0),
    unanswered INTEGER NOT NULL CHECK (unanswered >= 0),
    locked_until INTEGER,
    lock_duration INTEGER NOT NULL CHECK (lock_duration >= 0),
    PRIMARY KEY (uid, gate)
) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    number INTEGER AS (id >> 16) VIRTUAL,
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    uid INTEGER,
    pid INTEGER,
    mode TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
INSERT INTO grdb_migrations VALUES ('kept grants and secrets');
CREATE TABLE kept_grant (
    uid INTEGER NOT NULL,
    gated_action TEXT NOT NULL,
    deadline INTEGER NOT NULL,
    PRIMARY KEY (uid, gated_action)
) STRICT, WITHOUT ROWID;
CREATE TABLE secret (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    passcode_hash TEXT,
    totp_key BLOB,
    totp_used_step INTEGER CHECK (totp_used_step >= 0),
    CHECK ((totp_key IS NULL) = (totp_used_step IS NULL))
) STRICT;
INSERT INTO grdb_migrations VALUES ('accounts and claims');
CREATE TABLE account (
    name TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('grown-up', 'child')),
    born TEXT,
    password_hash TEXT NOT NULL,
    CHECK ((kind = 'child') = (born IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE claim (
    provider TEXT NOT NULL,
    name TEXT NOT NULL,
    account TEXT,
    item TEXT NOT NULL,
    product TEXT NOT NULL,
    purchased_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    is_for_testing INTEGER NOT NULL CHECK (is_for_testing IN (0, 1)),
    said_at INTEGER NOT NULL,
    is_in_billing_retry INTEGER CHECK (is_in_billing_retry IN (0, 1)),
    grace_period_ends_at INTEGER,
    renewal_said_at INTEGER,
    revoked_here INTEGER,
    PRIMARY KEY (provider, name),
    CHECK ((is_in_billing_retry IS NULL) = (renewal_said_at IS NULL)),
    CHECK (grace_period_ends_at IS NULL OR renewal_said_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
ALTER TABLE meta ADD COLUMN next_manual_claim INTEGER NOT NULL DEFAULT 1
    CHECK (next_manual_claim >= 1);
CREATE TABLE customer (
    app_user TEXT NOT NULL PRIMARY KEY,
    heard_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE notification (
    id TEXT NOT NULL PRIMARY KEY,
    place INTEGER NOT NULL CHECK (place >= 1)
) STRICT, WITHOUT ROWID;
INSERT INTO grdb_migrations VALUES ('forms and release notes');
CREATE TABLE draft (
    key TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    form TEXT NOT NULL,
    revision INTEGER NOT NULL CHECK (revision >= 1),
    opened_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE draft_row (
    key TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    form TEXT NOT NULL,
    path TEXT NOT NULL,
    answers TEXT,
    instances INTEGER CHECK (instances >= 0),
    CHECK ((answers IS NULL) <> (instances IS NULL))
) STRICT;
CREATE TABLE response (
    id INTEGER PRIMARY KEY CHECK (id >= 1),
    holder TEXT NOT NULL,
    form TEXT NOT NULL,
    version TEXT,
    status TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    response TEXT NOT NULL
) STRICT;
ALTER TABLE meta ADD COLUMN next_response INTEGER NOT NULL DEFAULT 1 CHECK (next_response >= 1);
CREATE TABLE attachment (
    digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
    bytes BLOB NOT NULL
) STRICT;
CREATE TABLE whats_new (
    key TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    app TEXT NOT NULL,
    version TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO grdb_migrations VALUES ('owners');
ALTER TABLE audit ADD COLUMN owner INTEGER;
INSERT INTO grdb_migrations VALUES ('draft revisions');
ALTER TABLE meta ADD COLUMN last_draft_revision INTEGER NOT NULL DEFAULT 0
    CHECK (last_draft_revision >= 0);
ALTER TABLE draft ADD COLUMN entered_revision INTEGER NOT NULL DEFAULT 0
    CHECK (entered_revision >= 0);
INSERT INTO grdb_migrations VALUES ('confirmed accounts');
ALTER TABLE account ADD COLUMN is_confirmed INTEGER NOT NULL DEFAULT 1 CHECK (is_confirmed IN (0, 1));

INSERT INTO meta VALUES (1, -5, 9, 'BOOT', NULL, 4, 0, 3, 2, 1, 0);
-- The child, for an hour.
INSERT INTO lockout VALUES (1000, 'store.open', 9, 0, (NOW + 3600) * 1000000000, 3600000000000);
INSERT INTO audit (id, time, kind, uid, pid, mode, detail, owner) VALUES
    (1 << 16, 1793557200000, 'started', NULL, NULL, 'child', '', NULL),
    (7 << 16, 1793557800000, 'lockedOut', 1000, 4711, 'child', 'for 1h, after 9 wrong answers', 1000),
    (9 << 16, 1793557801000, 'secretSet', 0, 4712, 'child', 'passcode', 0);
-- 2468, and the password of both is: correct horse
INSERT INTO secret VALUES (1, '$y$j9T$PqMSXAhwG4kPiyrFu8XNx/$3QA5jyOTScF25.QKDaFoDJ6nYVmDdIqenWtnPhPtsFC', NULL, NULL);
INSERT INTO account (name, kind, born, password_hash) VALUES ('anna', 'grown-up', NULL, '$y$j9T$7TrhmmPs3LYb8nNbSp8Nd1$I/na/d6QCM9aE7b/SX4hZuEsqVhoS8xtR0pa33sVq7A'), ('lina', 'child', '2018-02-03', '$y$j9T$7TrhmmPs3LYb8nNbSp8Nd1$I/na/d6QCM9aE7b/SX4hZuEsqVhoS8xtR0pa33sVq7A');
INSERT INTO kept_grant VALUES (1001, 'link.open', (NOW + 300) * 1000000000);
INSERT INTO claim VALUES ('manual', '1', NULL, 'premium', '', 0, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL);
