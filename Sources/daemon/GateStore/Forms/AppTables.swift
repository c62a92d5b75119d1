import GateCore
import GateForms
import GateModel
import SQLite

extension RecordTables {
    /// Forms of apps that somebody fills in. A form that another version accepted and this one refuses is skipped: its
    /// drafts can't be used until the app sends it again.
    static let appForms = EntryTable(
        Table(
            "app_form", step: 11,
            // The name, followed by the user: weekly-plan@1000.
            Column("name", .name, "PRIMARY KEY"), Column("questionnaire", .json)),
        atMost: 10_000, foundBy: .columns { [$0] }, entries: { $0.appForms.map { ($0, $1) } },
        add: { records, name, form in
            records.appForms[name] = form
            return true
        },
        row: { name, form in
            guard appForm(form.json, named: name) == form else {
                throw StoreError.failed("the form of an app can't be stored")
            }
            return (name, form.json)
        },
        entry: { name, json in
            guard AppsOwnName(name) != nil else { throw StoreError.damaged("a form of an app without a user") }
            return appForm(json, named: name).map { (name, $0) }
        })

    private static func appForm(_ json: [UInt8], named name: String) -> FormDescription? {
        guard let node = try? FHIRNode(json: json, maximumBytes: FormsLimits.resourceBytes) else { return nil }
        var form = QuestionnaireReader(fallbackName: name).form(node).form
        form?.questionnaire.name = name
        return form
    }

    /// The versions whose news each person has seen.
    static let whatsNewSeen = EntryTable(
        Table(
            "whats_new",
            // Made of holder, app and version.
            Column("key", .text, "PRIMARY KEY"), Column("holder", .holder), Column("app", .name),
            Column("version", .version)),
        atMost: 1_000_000, foundBy: .columns { try StoredKey($0.0, $0.1.description).columns },
        entries: { $0.whatsNewSeen.flatMap { key, versions in versions.map { ((key, $0), ()) } } },
        add: { records, key, _ in records.whatsNewSeen[key.0, default: []].insert(key.1).inserted },
        row: { key, _ in (try StoredKey(key.0, key.1.description).text, key.0.holder, key.0.app, key.1) },
        entry: { storedKey, holder, app, version in
            let key = WhatsNewKey(holder: holder, app: app)
            try StoredKey(key, version.description).check(storedKey)
            return ((key, version), ())
        })
}

extension Format<AppVersion> {
    /// A version has only one spelling.
    fileprivate static let version = Format(
        .text, "a version", value: { text in AppVersion(text).flatMap { $0.description == text ? $0 : nil } },
        base: \.description)
}
