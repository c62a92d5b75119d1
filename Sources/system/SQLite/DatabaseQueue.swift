import Dispatch

/// A connection that any thread may use, one at a time. The work that it runs must not use the queue itself.
public final class DatabaseQueue: @unchecked Sendable {
    private let turns = DispatchQueue(label: "gate.sqlite")
    /// Used only on `turns`.
    private let database: Database

    /// The file is made if it is missing, unless `isReadOnly` is set. `prepare` is called before the first use.
    public init(
        path: String, isReadOnly: Bool = false, prepare: (Database) throws -> Void = { _ in }
    ) throws {
        database = try Database(path: path, isReadOnly: isReadOnly)
        try prepare(database)
        // Throws here if the file is not a database.
        _ = try Row.fetchOne(database, sql: "SELECT * FROM sqlite_schema LIMIT 1")
    }

    public convenience init() throws {
        try self.init(path: ":memory:")
    }

    /// Closes the connection. Later calls throw.
    public func close() throws {
        try turns.sync { try database.close() }
    }

    /// Runs `work` without a transaction: each statement takes effect on its own.
    public func inDatabase<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try turns.sync { try work(database) }
    }

    public func write<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try inDatabase { database in try database.inTransaction { try work(database) } }
    }

    public func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try inDatabase { database in try database.reading { try work(database) } }
    }

    /// Replaces the contents of another database with what is committed in this one.
    public func backup(to copy: DatabaseQueue) throws {
        try copy.inDatabase { copy in try read { try $0.backup(to: copy) } }
    }
}
