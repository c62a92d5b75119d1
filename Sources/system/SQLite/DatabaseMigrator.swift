/// The steps that bring a database up to date. Each is applied once.
public struct DatabaseMigrator: Sendable {
    private struct Step: Sendable {
        let identifier: String
        let migrate: @Sendable (Database) throws -> Void
    }

    private var steps: [Step] = []

    public init() {}

    /// Earlier versions used the library GRDB, so stores have a table of this name.
    private static let table = "grdb_migrations"

    public mutating func registerMigration(
        _ identifier: String, migrate: @escaping @Sendable (Database) throws -> Void
    ) {
        precondition(!migrations.contains(identifier), "a migration that is there twice")
        steps.append(Step(identifier: identifier, migrate: migrate))
    }

    public var migrations: [String] { steps.map(\.identifier) }

    /// The names of the steps that a database has had, including unknown ones.
    public func appliedIdentifiers(_ database: Database) throws -> Set<String> {
        let names = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?", arguments: [Self.table])
        guard !names.isEmpty else { return [] }
        return Set(try String.fetchAll(database, sql: "SELECT identifier FROM \(Self.table)"))
    }

    /// Applies the missing steps in order, each in its own transaction, up to `last`; `nil`: all.
    public func migrate(_ queue: DatabaseQueue, upTo last: String? = nil) throws {
        try queue.inDatabase { database in
            try database.execute(
                sql: "CREATE TABLE IF NOT EXISTS \(Self.table) (identifier TEXT NOT NULL PRIMARY KEY)")
            let applied = try appliedIdentifiers(database)
            for step in steps {
                if !applied.contains(step.identifier) {
                    try database.inTransaction {
                        try step.migrate(database)
                        try database.execute(
                            sql: "INSERT INTO \(Self.table) (identifier) VALUES (?)", arguments: [step.identifier])
                    }
                }
                if step.identifier == last { return }
            }
        }
    }
}
