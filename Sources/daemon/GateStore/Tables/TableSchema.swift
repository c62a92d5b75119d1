/// A column as it is written in CREATE TABLE.
struct ColumnSchema: Sendable {
    let name: String
    fileprivate let declaration: String
    /// The same as in `Column`.
    fileprivate let step: Int

    init(_ name: String, _ declaration: String, step: Int = 0) {
        (self.name, self.declaration, self.step) = (name, declaration, step)
    }

    fileprivate var text: String { "\(name) \(declaration)" }
}

/// How a table is made, and the statements that write and read its rows. They are composed once, because cached
/// statements are found by their text.
final class TableSchema: Sendable {
    let name: String
    private let step: Int
    private let columns: [ColumnSchema]
    private let constraints: [String]
    private let options: String
    private let isOneRow: Bool
    let keepsStatements: Bool
    /// Adds a row, in place of one with the same key if there is one.
    let replacement: String
    /// Adds a row, and fails if there is one with the same key.
    let insertion: String
    let selection, deletion: String
    /// The last column of the key.
    let lastKey: String

    /// - Parameters:
    ///   - step: the number of the schema's step that makes the table.
    ///   - keyCount: how many of the first columns are the key. A single one is declared as the key in its constraint.
    ///   - hasRowID: whether SQLite numbers the rows.
    ///   - isOneRow: whether the table always has exactly one row.
    ///   - keepsStatements: whether the statement that writes rows is cached. The cache also keeps its last arguments.
    init(
        _ name: String, step: Int = 1, keyCount: Int = 1, hasRowID: Bool = false, isOneRow: Bool = false,
        keepsStatements: Bool = true, constraints: [String] = [], columns: [ColumnSchema]
    ) {
        let key = columns.prefix(keyCount).map(\.name)
        (self.name, self.step, self.columns, self.isOneRow) = (name, step, columns, isOneRow)
        self.constraints = (keyCount > 1 ? ["PRIMARY KEY (\(key.joined(separator: ", ")))"] : []) + constraints
        options = hasRowID ? "STRICT" : "STRICT, WITHOUT ROWID"
        self.keepsStatements = keepsStatements
        let names = columns.map(\.name).joined(separator: ", ")
        let row = "\(name) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
        replacement = "INSERT OR REPLACE INTO \(row)"
        insertion = "INSERT INTO \(row)"
        selection = "SELECT \(names) FROM \(name)"
        deletion = "DELETE FROM \(name) WHERE " + key.map { "\($0) = ?" }.joined(separator: " AND ")
        lastKey = key.last ?? ""
    }

    /// The statements with which a step of the schema makes the table or adds columns to it.
    func statements(of step: Int) -> [String] {
        guard step == self.step else {
            return columns.filter { $0.step == step }.map { "ALTER TABLE \(name) ADD COLUMN \($0.text)" }
        }
        let lines = columns.filter { $0.step == 0 }.map(\.text) + constraints
        let creation = "CREATE TABLE \(name) (\n    \(lines.joined(separator: ",\n    "))\n) \(options)"
        return isOneRow ? [creation, "INSERT INTO \(name) (id) VALUES (1)"] : [creation]
    }
}
