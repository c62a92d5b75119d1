import CSQLite

/// A connection to a database, for one thread at a time. A `DatabaseQueue` hands it out.
public final class Database {
    /// `nil` when it is closed.
    private var connection: OpaquePointer?
    private(set) var statements: [StatementText: Statement] = [:]

    /// - Throws: `DatabaseError` if the file can't be opened. The first statement finds out whether the file is a
    ///   database.
    init(path: String, isReadOnly: Bool) throws(DatabaseError) {
        _ = Self.stoppedCounting
        var opened: OpaquePointer?
        // SQLite's own mutex is not needed, because the queue lets only one thread use the connection.
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let result = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX, nil)
        guard result == SQLITE_OK else {
            let error = DatabaseError(result, of: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        connection = opened
        sqlite3_extended_result_codes(opened, 1)
        // In milliseconds. Somebody may be reading with the sqlite3 tool.
        sqlite3_busy_timeout(opened, 1000)
        try check(refuse_texts_in_double_quotes(opened))
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(connection)
    }

    /// Closes the connection. Every later use throws.
    func close() throws(DatabaseError) {
        statements.removeAll()
        guard let connection else { return }
        try check(sqlite3_close(connection))
        self.connection = nil
    }

    private func open() throws(DatabaseError) -> OpaquePointer {
        guard let connection else { throw .closed }
        return connection
    }

    private func check(_ result: CInt) throws(DatabaseError) {
        guard result == SQLITE_OK else { throw DatabaseError(result, of: connection) }
    }

    /// Evaluated before the first connection is opened. Saves a lock and an unlock at each of SQLite's allocations.
    private static let stoppedCounting = stop_counting_memory()

    /// The version of SQLite, for example "3.40.1".
    public static let libraryVersion = String(cString: sqlite3_libversion())

    /// How many rows the last statement has inserted, updated or deleted.
    public var changesCount: Int { connection.map { Int(sqlite3_changes($0)) } ?? 0 }

    // MARK: - Statements

    public func cachedStatement(sql: String) throws(DatabaseError) -> Statement {
        let text = StatementText(sql: sql)
        if let statement = statements[text], !statement.isRunning { return statement }
        let statement = try statement(sql: sql)
        statements[text] = statement
        return statement
    }

    func statement(sql: String) throws(DatabaseError) -> Statement {
        let connection = try open()
        var handle: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, sql, -1, &handle, nil))
        guard let handle else { throw DatabaseError(code: SQLITE_MISUSE, message: "a statement without words") }
        return Statement(handle)
    }

    /// Runs statements, one after the other. Each takes as many of the arguments as it has parameters.
    public func execute(sql: String, arguments: StatementArguments = []) throws(DatabaseError) {
        let connection = try open()
        var arguments = arguments[...]
        let result = sql.withCString { start in
            Result { () throws(DatabaseError) in
                var rest: UnsafePointer<CChar>? = start
                while let text = rest, text.pointee != 0 {
                    var handle: OpaquePointer?
                    try check(sqlite3_prepare_v2(connection, text, -1, &handle, &rest))
                    // Only white space or a comment is left.
                    guard let statement = handle.map({ Statement($0) }) else { continue }
                    let count = statement.parameterCount
                    try statement.execute(arguments: Array(arguments.prefix(count)))
                    arguments = arguments.dropFirst(count)
                }
            }
        }
        try result.get()
        guard arguments.isEmpty else {
            throw DatabaseError(code: SQLITE_MISUSE, message: "\(arguments.count) arguments too many")
        }
    }

    // MARK: - Transactions

    /// Runs `work` in a transaction: all of it takes effect, or nothing.
    public func inTransaction<Result>(_ work: () throws -> Result) throws -> Result {
        try transaction(begin: "BEGIN IMMEDIATE", work)
    }

    /// Runs `work`, which reads one state of the database, whatever other connections commit. It can't write.
    public func reading<Result>(_ work: () throws -> Result) throws -> Result {
        // Not cached, because SQLite executes this already when it is compiled.
        try execute(sql: "PRAGMA query_only = 1")
        defer { try? execute(sql: "PRAGMA query_only = 0") }
        return try transaction(begin: "BEGIN", work)
    }

    private func transaction<Result>(begin: String, _ work: () throws -> Result) throws -> Result {
        try cachedStatement(sql: begin).execute()
        do {
            let result = try work()
            try cachedStatement(sql: "COMMIT").execute()
            return result
        } catch {
            // After some errors, SQLite has already rolled back.
            if let connection, sqlite3_get_autocommit(connection) == 0 {
                try? cachedStatement(sql: "ROLLBACK").execute()
            }
            throw error
        }
    }

    // MARK: - The whole file

    /// Moves the log into the file, and empties the log.
    /// - Throws: `DatabaseError` if another program is reading, or if the disk is full.
    public func emptyLog() throws(DatabaseError) {
        try check(sqlite3_wal_checkpoint_v2(open(), nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
    }

    func backup(to copy: Database) throws(DatabaseError) {
        let destination = try copy.open()
        guard let backup = sqlite3_backup_init(destination, "main", try open(), "main") else {
            throw DatabaseError(sqlite3_extended_errcode(destination), of: destination)
        }
        let result = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard result == SQLITE_DONE else { throw DatabaseError(result, of: destination) }
        try copy.check(end)
    }
}

/// The text of a statement. Only its length is hashed, because there are few statements, and that is fastest.
struct StatementText: Hashable {
    let sql: String

    func hash(into hasher: inout Hasher) {
        hasher.combine(sql.utf8.count)
    }
}
