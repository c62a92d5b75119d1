/// The statements that made stores of earlier versions, word for word: a step of the schema that was released is never
/// changed.
enum EarlierStores {
    /// The number of schema steps of the store that Gate 0.9.0 began with.
    static let first = 7
    /// The number of schema steps of the newest store.
    static let last = first + later.count

    /// As earlier versions began, with fewer steps.
    static let beforeZeroNine = """
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
        INSERT INTO meta VALUES (1, -5, 7, 'boot-1', NULL, 4, 0, 2);
        INSERT INTO lockout VALUES (1000, 'mode', 3, 1, 90000000000, 30000000000);
        INSERT INTO audit (id, time, kind, uid, pid, mode, detail)
            VALUES (65536, 1000, 'started', NULL, NULL, 'child', '');
        INSERT INTO audit (id, time, kind, uid, pid, mode, detail)
            VALUES (458752, 2000, 'lockedOut', 1000, 4711, 'child', '30 s');
        """

    /// As Gate 0.9.0 began, after seven steps, with some rows.
    static let zeroNine = beforeZeroNine + "\n" + tillZeroNine

    private static let tillZeroNine = """
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
        INSERT INTO secret VALUES (1, '$y$j9T$x', x'010203', 58920000);
        INSERT INTO kept_grant VALUES (1000, 'link.open', 95000000000);
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
        UPDATE meta SET next_manual_claim = 2;
        INSERT INTO account VALUES ('anna', 'grown-up', NULL, '$y$z');
        INSERT INTO claim VALUES ('manual', '1', NULL, 'premium', '', 0, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL);
        INSERT INTO customer VALUES ('anna-17', 5);
        INSERT INTO notification VALUES ('n-1', 1);
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
        INSERT INTO draft VALUES ('account:anna' || char(10) || 'consent' || char(10), 'account:anna', 'consent', 3, 1);
        INSERT INTO draft VALUES ('user:1000' || char(10) || 'consent' || char(10), 'user:1000', 'consent', 3, 1);
        INSERT INTO grdb_migrations VALUES ('owners');
        ALTER TABLE audit ADD COLUMN owner INTEGER;
        UPDATE audit SET owner = uid;
        INSERT INTO grdb_migrations VALUES ('draft revisions');
        ALTER TABLE meta ADD COLUMN last_draft_revision INTEGER NOT NULL DEFAULT 0
            CHECK (last_draft_revision >= 0);
        ALTER TABLE draft ADD COLUMN entered_revision INTEGER NOT NULL DEFAULT 0
            CHECK (entered_revision >= 0);
        UPDATE draft SET entered_revision = 3;
        UPDATE meta SET last_draft_revision = 3;
        INSERT INTO grdb_migrations VALUES ('confirmed accounts');
        ALTER TABLE account ADD COLUMN is_confirmed INTEGER NOT NULL DEFAULT 1 CHECK (is_confirmed IN (0, 1));
        PRAGMA user_version = 9000;
        """

    /// Each step since, in order.
    static let later = [
        """
        INSERT INTO grdb_migrations VALUES ('entered answers');
        ALTER TABLE draft_row ADD COLUMN is_entered INTEGER NOT NULL DEFAULT 0
            CHECK (is_entered IN (0, 1) AND (is_entered = 0 OR answers IS NOT NULL));
        """,
        """
        INSERT INTO grdb_migrations VALUES ('many drafts');
        ALTER TABLE meta ADD COLUMN next_draft INTEGER NOT NULL DEFAULT 1 CHECK (next_draft >= 1);
        ALTER TABLE draft ADD COLUMN id INTEGER NOT NULL DEFAULT 0 CHECK (id >= 0);
        ALTER TABLE draft ADD COLUMN label TEXT NOT NULL DEFAULT '';
        ALTER TABLE draft_row ADD COLUMN draft_id INTEGER NOT NULL DEFAULT 0 CHECK (draft_id >= 0);
        ALTER TABLE response ADD COLUMN label TEXT NOT NULL DEFAULT '';
        """,
        """
        INSERT INTO grdb_migrations VALUES ('parts');
        CREATE TABLE part (
            id INTEGER PRIMARY KEY CHECK (id >= 1),
            holder TEXT NOT NULL,
            definition TEXT NOT NULL,
            label TEXT NOT NULL,
            is_named INTEGER NOT NULL CHECK (is_named IN (0, 1)),
            saved_at INTEGER NOT NULL,
            content TEXT NOT NULL
        ) STRICT;
        ALTER TABLE meta ADD COLUMN next_part INTEGER NOT NULL DEFAULT 1 CHECK (next_part >= 1);
        """,
        """
        INSERT INTO grdb_migrations VALUES ('forms of apps');
        CREATE TABLE app_form (
            name TEXT NOT NULL PRIMARY KEY,
            questionnaire TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        """
        INSERT INTO grdb_migrations VALUES ('brokers');
        ALTER TABLE audit ADD COLUMN broker_uid INTEGER;
        ALTER TABLE audit ADD COLUMN broker TEXT;
        """,
        """
        INSERT INTO grdb_migrations VALUES ('household');
        CREATE TABLE household (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            list BLOB,
            list_key BLOB,
            device_key BLOB,
            public_key BLOB,
            seen_at INTEGER,
            CHECK ((list IS NULL) = (list_key IS NULL)),
            CHECK ((device_key IS NULL) = (public_key IS NULL))
        ) STRICT;
        INSERT INTO household (id) VALUES (1);
        ALTER TABLE audit ADD COLUMN guardian_device TEXT;
        ALTER TABLE audit ADD COLUMN guardian TEXT;
        """,
        """
        INSERT INTO grdb_migrations VALUES ('household policy');
        ALTER TABLE household ADD COLUMN policy BLOB;
        ALTER TABLE household ADD COLUMN policy_key BLOB CHECK ((policy IS NULL) = (policy_key IS NULL));
        """,
        """
        INSERT INTO grdb_migrations VALUES ('receipts');
        CREATE TABLE receipt (
            number INTEGER PRIMARY KEY,
            claim TEXT NOT NULL,
            part TEXT NOT NULL,
            said_at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            signed TEXT NOT NULL
        ) STRICT;
        """,
        """
        INSERT INTO grdb_migrations VALUES ('people');
        CREATE TABLE person (
            name TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('grown-up', 'child', 'shared')),
            born TEXT,
            user_name TEXT,
            uid INTEGER UNIQUE,
            password_hash TEXT,
            is_confirmed INTEGER NOT NULL CHECK (is_confirmed IN (0, 1)),
            CHECK (born IS NULL OR kind = 'child'),
            CHECK ((user_name IS NULL) = (uid IS NULL)),
            CHECK (kind <> 'shared' OR uid IS NOT NULL AND password_hash IS NULL)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO person (name, kind, born, password_hash, is_confirmed)
            SELECT name, kind, born, password_hash, is_confirmed FROM account;
        DROP TABLE account;
        """,
        """
        INSERT INTO grdb_migrations VALUES ('gate choices');
        CREATE TABLE gate_choice (
            gated_action TEXT NOT NULL PRIMARY KEY,
            notation TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """,
        """
        INSERT INTO grdb_migrations VALUES ('asks');
        CREATE TABLE ask_answer (
            ask INTEGER PRIMARY KEY,
            uid INTEGER NOT NULL,
            gated_action TEXT NOT NULL,
            deadline INTEGER NOT NULL,
            details TEXT NOT NULL,
            person TEXT NOT NULL,
            mark TEXT NOT NULL,
            given INTEGER NOT NULL,
            until INTEGER NOT NULL,
            uses INTEGER NOT NULL CHECK (uses > 0)
        ) STRICT;
        CREATE TABLE ask (
            number INTEGER PRIMARY KEY,
            uid INTEGER NOT NULL,
            person TEXT NOT NULL,
            gated_action TEXT NOT NULL,
            details TEXT NOT NULL,
            mark TEXT NOT NULL,
            state TEXT NOT NULL,
            asked_at INTEGER NOT NULL,
            end_at INTEGER NOT NULL,
            may_wait INTEGER NOT NULL CHECK (may_wait > 0)
        ) STRICT;
        """,
        """
        INSERT INTO grdb_migrations VALUES ('choices of asks');
        ALTER TABLE ask_answer ADD COLUMN choice TEXT NOT NULL DEFAULT 'once';
        """,
        """
        INSERT INTO grdb_migrations VALUES ('usage');
        CREATE TABLE usage (
            uid INTEGER NOT NULL,
            is_allowance INTEGER NOT NULL,
            name TEXT NOT NULL,
            day INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL CHECK (milliseconds > 0),
            PRIMARY KEY (uid, is_allowance, name, day)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        INSERT INTO grdb_migrations VALUES ('asks over the household');
        ALTER TABLE ask ADD COLUMN nonce BLOB NOT NULL DEFAULT x'';
        CREATE TABLE household_answer (
            device TEXT NOT NULL,
            number INTEGER NOT NULL,
            command TEXT NOT NULL,
            nonce BLOB NOT NULL,
            is_allowed INTEGER NOT NULL CHECK (is_allowed IN (0, 1)),
            word TEXT NOT NULL,
            expires INTEGER NOT NULL,
            end_at INTEGER NOT NULL,
            PRIMARY KEY (device, number)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        INSERT INTO grdb_migrations VALUES ('more time');
        ALTER TABLE ask_answer ADD COLUMN is_more_time INTEGER NOT NULL DEFAULT 0 CHECK (is_more_time IN (0, 1));
        ALTER TABLE ask ADD COLUMN is_more_time INTEGER NOT NULL DEFAULT 0 CHECK (is_more_time IN (0, 1));
        """,
        """
        INSERT INTO grdb_migrations VALUES ('usage elsewhere');
        CREATE TABLE usage_elsewhere (
            device TEXT NOT NULL,
            person TEXT NOT NULL,
            allowance TEXT NOT NULL,
            day INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL CHECK (milliseconds > 0),
            PRIMARY KEY (device, person, allowance, day)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        INSERT INTO grdb_migrations VALUES ('ages');
        ALTER TABLE meta ADD COLUMN age_settings TEXT NOT NULL DEFAULT 'off 13 16 18';
        CREATE TABLE age_choice (
            person TEXT NOT NULL,
            app TEXT NOT NULL,
            choice TEXT NOT NULL,
            half_year INTEGER,
            PRIMARY KEY (person, app),
            CHECK ((half_year IS NOT NULL) = (choice IN ('for-now', 'not-now')))
        ) STRICT, WITHOUT ROWID;
        """,
    ]
}
