/// The steps that bring a database up to date, each of them once.
public struct DatabaseMigrator: Sendable {
    private struct Step: Sendable {
        let identifier: String
        let migrate: @Sendable (Database) throws -> Void
    }

    private var steps: [Step] = []

    public init() {}

    /// The name is that of the library which earlier versions used: stores have the table.
    private static let table = "grdb_migrations"

    public mutating func registerMigration(
        _ identifier: String, migrate: @escaping @Sendable (Database) throws -> Void
    ) {
        precondition(!migrations.contains(identifier), "a migration that is there twice")
        steps.append(Step(identifier: identifier, migrate: migrate))
    }

    /// Their names, in order.
    public var migrations: [String] { steps.map(\.identifier) }

    /// The names of those that a database has had, unknown ones too.
    public func appliedIdentifiers(_ database: Database) throws -> Set<String> {
        let names = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?", arguments: [Self.table])
        guard !names.isEmpty else { return [] }
        return Set(try String.fetchAll(database, sql: "SELECT identifier FROM \(Self.table)"))
    }

    /// Applies what is missing, in order, each in a transaction of its own.
    ///
    /// - Parameter last: the last one to apply; `nil`: all of them.
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
