import GateForms
import GateModel
import SQLite

/// A column with answers or a response as FHIR JSON.
///
/// What is written is read back first and compared, so that no commit makes a store that the next start takes for damaged.
/// For the same reason a later version may take more here than this one, and never less.
enum StoredResource {
    /// In UTF-8. More than the wire takes.
    private static let byteCounts = 1...(4 << 20)

    static func read(_ column: Int, of row: Row) throws -> [UInt8] {
        let text = try RecordTables.value(column, of: row, as: String.self)
        guard byteCounts.contains(text.utf8.count) else {
            throw StoreError.damaged("a resource of \(text.utf8.count) bytes that can't be one")
        }
        return Array(text.utf8)
    }

    /// As `read`, for a column that may be NULL.
    static func readOptional(_ column: Int, of row: Row) throws -> [UInt8]? {
        let stored: DatabaseValue = row[column]
        return stored.isNull ? nil : try read(column, of: row)
    }

    // Errors don't repeat what is stored here: people's answers.

    static func answers(_ json: [UInt8]) throws -> [FormValue] {
        guard let (values, attachments) = try? ResponseReader().answers(json), !values.isEmpty, attachments.isEmpty
        else { throw StoreError.damaged("answers in a form that can't be read") }
        return values
    }

    static func response(_ json: [UInt8]) throws -> QuestionnaireResponse {
        let reading = ResponseReader().response(json)
        guard let response = reading.response, reading.attachments.isEmpty,
            !reading.issues.contains(where: { $0.severity == .error })
        else { throw StoreError.damaged("a response to a form that can't be read") }
        return response
    }

    /// - Returns: what goes into the column.
    /// - Throws: `StoreError.failed` where it could not be read again.
    static func checked(_ values: [FormValue]) throws -> String {
        let json = ResponseWriter.answers(values)
        guard (try? answers(json)) == values else { throw StoreError.failed("answers in a form can't be stored") }
        return try checked(json)
    }

    /// - Returns: what goes into the column.
    /// - Throws: `StoreError.failed` where it could not be read again.
    static func checked(_ response: QuestionnaireResponse) throws -> String {
        let json = ResponseWriter.json(response)
        guard (try? Self.response(json)) == response else {
            throw StoreError.failed("a response to a form can't be stored")
        }
        return try checked(json)
    }

    /// - Returns: what goes into the column.
    static func checked(_ json: [UInt8]) throws -> String {
        guard byteCounts.contains(json.count), let text = String(validating: json, as: UTF8.self) else {
            throw StoreError.failed("a resource of \(json.count) bytes can't be stored")
        }
        return text
    }
}
