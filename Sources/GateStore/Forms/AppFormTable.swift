import GateForms
import GateModel
import SQLite

/// The rows of `app_form`: forms that apps brought, which somebody fills in (F-85).
enum AppFormTable {
    /// More than the core takes. What has more was not written by us.
    static let maximumCount = 10_000

    /// A form that this version refuses, and another one took, is passed over: its drafts rest until the app brings it again.
    static func load(from database: Database) throws -> [String: FormDescription] {
        var forms: [String: FormDescription] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT name, questionnaire FROM app_form")
        while let row = try rows.next() {
            let name = try StoredText.name.read(0, of: row)
            guard AppsOwnName(name) != nil, forms.count < maximumCount else {
                throw StoreError.damaged("a form of an app too many, or without a user")
            }
            forms[name] = form(try StoredResource.read(1, of: row), named: name)
        }
        return forms
    }

    private static func form(_ json: [UInt8], named name: String) -> FormDescription? {
        guard let node = try? FHIRNode(json: json, maximumBytes: FormsLimits.resourceBytes) else { return nil }
        var form = QuestionnaireReader(fallbackName: name).form(node).form
        form?.questionnaire.name = name
        return form
    }

    static func set(_ form: FormDescription, in database: Database) throws {
        let name = try StoredText.name.checked(form.questionnaire.name)
        guard self.form(form.json, named: name) == form else {
            throw StoreError.failed("the form of an app can't be stored")
        }
        try remove(name, in: database)
        try database.cachedStatement(sql: "INSERT INTO app_form (name, questionnaire) VALUES (?, ?)")
            .execute(arguments: [name, try StoredResource.checked(form.json)])
    }

    static func remove(_ name: String, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM app_form WHERE name = ?").execute(arguments: [name])
    }
}
