import SQLite

/// The migration that brings forms and what is new.
extension StoreSchema {
    static func registerForms(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("forms and release notes") { database in
            try database.execute(
                sql: """
                    -- All times are milliseconds since 1970-01-01T00:00:00Z. A holder is written account:anna or user:1000.
                    -- A key is what names the row, in NFC, each with a line feed behind it.
                    CREATE TABLE draft (
                        -- Of holder and form.
                        key TEXT NOT NULL PRIMARY KEY,
                        holder TEXT NOT NULL,
                        form TEXT NOT NULL,
                        revision INTEGER NOT NULL CHECK (revision >= 1),
                        opened_at INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;

                    -- What a draft keeps at one path.
                    CREATE TABLE draft_row (
                        -- Of holder, form and path.
                        key TEXT NOT NULL PRIMARY KEY,
                        holder TEXT NOT NULL,
                        form TEXT NOT NULL,
                        path TEXT NOT NULL,
                        -- Of a question: its answers as FHIR JSON.
                        answers TEXT,
                        -- Of a repeating group: how many times it is there.
                        instances INTEGER CHECK (instances >= 0),
                        CHECK ((answers IS NULL) <> (instances IS NULL))
                    ) STRICT;

                    CREATE TABLE response (
                        id INTEGER PRIMARY KEY CHECK (id >= 1),
                        holder TEXT NOT NULL,
                        form TEXT NOT NULL,
                        -- Of the questionnaire, when it was answered; NULL: it had none.
                        version TEXT,
                        status TEXT NOT NULL,
                        saved_at INTEGER NOT NULL,
                        -- A QuestionnaireResponse as FHIR JSON.
                        response TEXT NOT NULL
                    ) STRICT;

                    -- The id that the next response gets.
                    ALTER TABLE meta ADD COLUMN next_response INTEGER NOT NULL DEFAULT 1 CHECK (next_response >= 1);

                    -- Bytes that answers name, each once.
                    CREATE TABLE attachment (
                        -- Their SHA-256.
                        digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                        bytes BLOB NOT NULL
                    ) STRICT;

                    -- The versions that somebody has seen what is new of.
                    CREATE TABLE whats_new (
                        -- Of holder, app and version.
                        key TEXT NOT NULL PRIMARY KEY,
                        holder TEXT NOT NULL,
                        app TEXT NOT NULL,
                        version TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
    }

    /// Answers that a person gave in place of calculated ones are told from those.
    static func registerEnteredAnswers(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("entered answers") { database in
            try database.execute(
                sql: """
                    ALTER TABLE draft_row ADD COLUMN is_entered INTEGER NOT NULL DEFAULT 0
                        CHECK (is_entered IN (0, 1) AND (is_entered = 0 OR answers IS NOT NULL));
                    """)
        }
    }

    /// Revisions of drafts never come twice. Those that are there get new ones, past all that a draft can have had: each took a
    /// revision of the state.
    static func registerDraftRevisions(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("draft revisions") { database in
            try database.execute(
                sql: """
                    -- The newest that any draft has had; 0: there was none.
                    ALTER TABLE meta ADD COLUMN last_draft_revision INTEGER NOT NULL DEFAULT 0
                        CHECK (last_draft_revision >= 0);
                    -- Nothing but suggestions came since.
                    ALTER TABLE draft ADD COLUMN entered_revision INTEGER NOT NULL DEFAULT 0
                        CHECK (entered_revision >= 0);
                    UPDATE draft SET revision = (SELECT number FROM meta)
                        + (SELECT count(*) FROM draft AS other WHERE other.key <= draft.key);
                    UPDATE draft SET entered_revision = revision;
                    UPDATE meta SET last_draft_revision = number + (SELECT count(*) FROM draft);
                    """)
        }
    }

    /// A holder may have several drafts of a form. Those that are there have the id 0, and keep their keys.
    static func registerManyDrafts(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("many drafts") { database in
            try database.execute(
                sql: """
                    -- The id that the next draft beside others gets.
                    ALTER TABLE meta ADD COLUMN next_draft INTEGER NOT NULL DEFAULT 1 CHECK (next_draft >= 1);
                    -- 0: the one that is opened when nothing is said. A key of any other begins with the id.
                    ALTER TABLE draft ADD COLUMN id INTEGER NOT NULL DEFAULT 0 CHECK (id >= 0);
                    -- The label that somebody gave it; empty: its answers make one.
                    ALTER TABLE draft ADD COLUMN label TEXT NOT NULL DEFAULT '';
                    ALTER TABLE draft_row ADD COLUMN draft_id INTEGER NOT NULL DEFAULT 0 CHECK (draft_id >= 0);
                    -- The label that its draft had.
                    ALTER TABLE response ADD COLUMN label TEXT NOT NULL DEFAULT '';
                    """)
        }
    }

    /// Forms that apps bring with their calls.
    static func registerAppForms(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("forms of apps") { database in
            try database.execute(
                sql: """
                    CREATE TABLE app_form (
                        -- With the user behind it: weekly-plan@1000.
                        name TEXT NOT NULL PRIMARY KEY,
                        -- A Questionnaire as FHIR JSON.
                        questionnaire TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
    }

    /// Answers that other forms may take.
    static func registerParts(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("parts") { database in
            try database.execute(
                sql: """
                    CREATE TABLE part (
                        id INTEGER PRIMARY KEY CHECK (id >= 1),
                        holder TEXT NOT NULL,
                        -- Of the item that was answered.
                        definition TEXT NOT NULL,
                        label TEXT NOT NULL,
                        -- 1: somebody has saved or named it; it does not go by itself.
                        is_named INTEGER NOT NULL CHECK (is_named IN (0, 1)),
                        saved_at INTEGER NOT NULL,
                        -- A QuestionnaireResponse of one item as FHIR JSON.
                        content TEXT NOT NULL
                    ) STRICT;

                    -- The id that the next part gets.
                    ALTER TABLE meta ADD COLUMN next_part INTEGER NOT NULL DEFAULT 1 CHECK (next_part >= 1);
                    """)
        }
    }
}
