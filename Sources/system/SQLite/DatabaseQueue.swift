import Dispatch

/// A connection that any thread may use: each waits for its turn.
///
/// Work must not use the queue that it was handed its database by.
public final class DatabaseQueue: @unchecked Sendable {
    private let turns = DispatchQueue(label: "gate.sqlite")
    /// Only within a turn.
    private let database: Database

    /// - Parameters:
    ///   - path: made where it is missing, unless it is only to be read.
    ///   - prepare: gets the connection before anybody else.
    public init(
        path: String, isReadOnly: Bool = false, prepare: (Database) throws -> Void = { _ in }
    ) throws {
        database = try Database(path: path, isReadOnly: isReadOnly)
        try prepare(database)
        // What is no database says so here.
        _ = try Row.fetchOne(database, sql: "SELECT * FROM sqlite_schema LIMIT 1")
    }

    /// An empty database in memory.
    public convenience init() throws {
        try self.init(path: ":memory:")
    }

    /// Ends all use: what comes after this throws.
    public func close() throws {
        try turns.sync { try database.close() }
    }

    /// Each statement stands for itself.
    public func inDatabase<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try turns.sync { try work(database) }
    }

    /// All of the work is done, or nothing.
    public func write<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try inDatabase { database in try database.inTransaction { try work(database) } }
    }

    /// One state of the database, in which nothing can be written.
    public func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try inDatabase { database in try database.reading { try work(database) } }
    }

    /// Makes another database a copy of what is committed here.
    public func backup(to copy: DatabaseQueue) throws {
        try copy.inDatabase { copy in try read { try $0.backup(to: copy) } }
    }
}
