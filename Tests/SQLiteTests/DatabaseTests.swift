import Glibc
import SQLite
import Testing

/// A file of a test's own, gone when the test is.
final class DatabaseFile {
    let path: String

    init() throws {
        var template = Array("/tmp/gate-sqlite-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        close(descriptor)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}

@Suite("A connection to SQLite")
struct DatabaseTests {
    private func numbers(_ queue: DatabaseQueue) throws -> [Int] {
        try queue.read { try Int.fetchAll($0, sql: "SELECT n FROM number ORDER BY n") }
    }

    private func queueOfNumbers(_ path: String = ":memory:") throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "CREATE TABLE number (n INTEGER UNIQUE) STRICT") }
        return queue
    }

    @Test(
        "a value is read back as it was stored",
        arguments: [
            .null, .int64(.min), .int64(.max), .int64(0), .double(-0.5), .string(""), .string("ä\u{0}b🦊"),
            .string("it's; --"), .blob([]), .blob([0, 255, 0]),
        ] as [DatabaseValue])
    func roundTrip(value: DatabaseValue) throws {
        try DatabaseQueue().write { database in
            try database.execute(sql: "CREATE TABLE cell (content)")
            try database.execute(sql: "INSERT INTO cell VALUES (?)", arguments: [value])
            #expect(try Row.fetchOne(database, sql: "SELECT content FROM cell")?[0] == value)
        }
    }

    @Test("a value of one type is never read as another")
    func noConversions() throws {
        #expect(Int.fromDatabaseValue(.string("1")) == nil && Int.fromDatabaseValue(.double(1)) == nil)
        #expect(UInt32.fromDatabaseValue(.int64(-1)) == nil && UInt32.fromDatabaseValue(.int64(1 << 32)) == nil)
        #expect(UInt64.fromDatabaseValue(.int64(-1)) == nil)
        #expect(String.fromDatabaseValue(.int64(1)) == nil && String.fromDatabaseValue(.blob([65])) == nil)
        #expect([UInt8].fromDatabaseValue(.string("A")) == nil)
        #expect(Bool.fromDatabaseValue(.int64(2)) == nil && Bool.fromDatabaseValue(.int64(1)) == true)
        try DatabaseQueue().read { database in
            let error = #expect(throws: ValueMismatch.self) { try Int.fetchOne(database, sql: "SELECT '1'") }
            #expect(error?.value == .string("1"))
            for sql in ["SELECT NULL", "SELECT 1 WHERE 0"] {
                let nothing = try Int.fetchOne(database, sql: sql)
                #expect(nothing == nil)
            }
        }
    }

    @Test("several statements run in order, each with its own arguments")
    func severalStatements() throws {
        let queue = try queueOfNumbers()
        try queue.write {
            try $0.execute(
                sql: "INSERT INTO number VALUES (?); INSERT INTO number VALUES (?), (?); -- and no more\n",
                arguments: [1, 2, 3])
        }
        #expect(try numbers(queue) == [1, 2, 3])
        try queue.inDatabase { try $0.execute(sql: "DELETE FROM number WHERE n > ?1 AND n > ?1 - 1", arguments: [1]) }
        #expect(try queue.inDatabase { $0.changesCount } == 2)
        for (sql, arguments) in [("INSERT INTO number VALUES (?)", []), ("SELECT 1", [4])] as [(String, [Int])] {
            let error = #expect(throws: DatabaseError.self) {
                try queue.write { try $0.execute(sql: sql, arguments: arguments) }
            }
            #expect(error?.kind == .misused)
        }
        #expect(try numbers(queue) == [1])
    }

    @Test("a text in double quotes is a name, and not a string")
    func doubleQuotes() throws {
        let queue = try queueOfNumbers()
        #expect(throws: DatabaseError.self) { try queue.read { try Int.fetchAll($0, sql: "SELECT \"m\" FROM number") } }
    }

    @Test("a cached statement can run within itself, and forgets its arguments")
    func cachedStatements() throws {
        let queue = try queueOfNumbers()
        try queue.write { database in
            for number in 1...3 {
                try database.cachedStatement(sql: "INSERT INTO number VALUES (?)").execute(arguments: [number])
            }
            let sql = "SELECT n FROM number WHERE n >= ? ORDER BY n"
            let outer = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: [2])
            var found: [DatabaseValue] = []
            while let row = try outer.next() {
                found.append(row[0])
                found += try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [3]).map { $0[0] }
            }
            #expect(found == [.int64(2), .int64(3), .int64(3), .int64(3)])
            #expect(try outer.next() == nil)
            #expect(throws: DatabaseError.self) { try database.cachedStatement(sql: sql).execute() }
        }
    }

    // MARK: - Transactions

    private struct Stop: Error {}

    @Test("a transaction that fails changes nothing")
    func rollback() throws {
        let queue = try queueOfNumbers()
        #expect(throws: Stop.self) {
            try queue.write { database in
                try database.execute(sql: "INSERT INTO number VALUES (1)")
                throw Stop()
            }
        }
        #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "INSERT INTO number VALUES (1); INSERT INTO number VALUES (1)") }
        }
        #expect(try numbers(queue) == [])
        try queue.write { try $0.execute(sql: "INSERT INTO number VALUES (1)") }
        #expect(try numbers(queue) == [1])
    }

    @Test("a commit that fails has changed nothing, and the next one works")
    func failingCommit() throws {
        let queue = try queueOfNumbers()
        try queue.inDatabase {
            try $0.execute(
                sql: """
                    PRAGMA foreign_keys = ON;
                    CREATE TABLE half (n INTEGER REFERENCES number (n) DEFERRABLE INITIALLY DEFERRED) STRICT
                    """)
        }
        // The other half of the reference is looked for at the commit.
        #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: "INSERT INTO half VALUES (1)") } }
        try queue.write { try $0.execute(sql: "INSERT INTO number VALUES (1); INSERT INTO half VALUES (1)") }
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM half") } == 1)
    }

    @Test("reading writes nothing, and sees one consistent state")
    func reading() throws {
        let file = try DatabaseFile()
        let queue = try queueOfNumbers(file.path)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        let other = try DatabaseQueue(path: file.path)
        let error = #expect(throws: DatabaseError.self) {
            try queue.read { try $0.execute(sql: "INSERT INTO number VALUES (1)") }
        }
        #expect(error?.kind == .readOnly)
        try queue.read { database in
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM number") == 0)
            try other.write { try $0.execute(sql: "INSERT INTO number VALUES (2)") }
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM number") == 0)
        }
        // After reading, writing is possible again.
        try queue.write { try $0.execute(sql: "INSERT INTO number VALUES (3)") }
        #expect(try numbers(queue) == [2, 3])
        let reader = try DatabaseQueue(path: file.path, isReadOnly: true)
        #expect(try numbers(reader) == [2, 3])
        #expect(throws: DatabaseError.self) { try reader.write { try $0.execute(sql: "DELETE FROM number") } }
    }

    @Test("threads take turns with the database")
    func threads() async throws {
        let queue = try queueOfNumbers()
        try await withThrowingTaskGroup { group in
            for number in 0..<64 {
                group.addTask {
                    try queue.write { try $0.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number]) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try numbers(queue) == Array(0..<64))
    }

    // MARK: - Errors and ends

    @Test("a file that is missing or no database throws an error that says so")
    func noDatabase() throws {
        let file = try DatabaseFile()
        let stream = try #require(fopen(file.path, "w"))
        fputs(String(repeating: "This is a letter. ", count: 1000), stream)
        fclose(stream)
        let error = #expect(throws: DatabaseError.self) { try DatabaseQueue(path: file.path) }
        #expect(error?.kind == .damaged)
        #expect(throws: DatabaseError.self) { try DatabaseQueue(path: "/nowhere/at/all") }
        #expect(throws: DatabaseError.self) { try DatabaseQueue(path: file.path + "-not", isReadOnly: true) }
    }

    @Test("each kind of error is recognised")
    func kinds() throws {
        let file = try DatabaseFile()
        let queue = try queueOfNumbers(file.path)
        func kind(_ work: (Database) throws -> Void) -> DatabaseError.Kind? {
            do {
                try queue.inDatabase(work)
                return nil
            } catch {
                return (error as? DatabaseError)?.kind
            }
        }
        #expect(kind { try $0.execute(sql: "NONSENSE") } == .other)
        #expect(
            kind { try $0.execute(sql: "PRAGMA max_page_count = 2; CREATE TABLE a (b); CREATE TABLE c (d)") } == .full)
        let other = try DatabaseQueue(path: file.path)
        try other.write { database in
            #expect(kind { try $0.execute(sql: "INSERT INTO number VALUES (1)") } == .busy)
        }
        #expect(DatabaseError(code: 4874, message: "").kind == .full)
    }

    @Test("every use of a closed database throws")
    func closed() throws {
        let queue = try queueOfNumbers()
        try queue.close()
        try queue.close()
        let error = #expect(throws: DatabaseError.self) { try numbers(queue) }
        #expect(error?.kind == .misused)
        #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: "DELETE FROM number") } }
        #expect(throws: DatabaseError.self) { try queue.inDatabase { try $0.emptyLog() } }
    }

    // MARK: - Migrations and copies

    @Test("each migration is applied once, in order, or not at all")
    func migrations() throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("first") { try $0.execute(sql: "CREATE TABLE number (n INTEGER)") }
        migrator.registerMigration("second") { try $0.execute(sql: "INSERT INTO number VALUES (2)") }
        let queue = try DatabaseQueue()
        #expect(try queue.read(migrator.appliedIdentifiers) == [])
        try migrator.migrate(queue, upTo: "first")
        #expect(try queue.read(migrator.appliedIdentifiers) == ["first"])
        #expect(try numbers(queue) == [])
        try migrator.migrate(queue)
        try migrator.migrate(queue)
        #expect(try numbers(queue) == [2])
        migrator.registerMigration("third") { database in
            try database.execute(sql: "INSERT INTO number VALUES (3)")
            throw Stop()
        }
        #expect(throws: Stop.self) { try migrator.migrate(queue) }
        #expect(try numbers(queue) == [2])
        #expect(try queue.read(migrator.appliedIdentifiers) == ["first", "second"])
        #expect(migrator.migrations == ["first", "second", "third"])
    }

    @Test("a copy has everything of its source, and nothing of what was there before")
    func copy() throws {
        let queue = try queueOfNumbers()
        try queue.write { try $0.execute(sql: "INSERT INTO number VALUES (1), (2)") }
        let file = try DatabaseFile()
        let copy = try DatabaseQueue(path: file.path)
        try copy.write { try $0.execute(sql: "CREATE TABLE other (n)") }
        try queue.backup(to: copy)
        #expect(try numbers(copy) == [1, 2])
        #expect(throws: DatabaseError.self) { try copy.read { try Int.fetchOne($0, sql: "SELECT n FROM other") } }
        try copy.close()
        #expect(throws: DatabaseError.self) { try queue.backup(to: copy) }
    }
}
