import GateModel

extension Configuration {
    /// The forms that can be filled in, as English lines for people.
    var formLines: [String] {
        forms.sorted { $0.key < $1.key }.map { name, form in
            let questionnaire = form.questionnaire
            let version = questionnaire.version.map { "version \($0)" } ?? "no version"
            let count = questionnaire.itemCount
            let completed =
                switch questionnaire.completedBy {
                case .anybody: ""
                case .grownUp: "; only a grown-up completes it"
                }
            return "form \(name) (\(questionnaire.title)): \(version); \(count) \(count == 1 ? "item" : "items")"
                + completed
        }
    }

    var releaseNotesLines: [String] {
        releaseNotes.sorted { $0.key < $1.key }.map { app, notes in
            let count = notes.entries.count
            let newest = notes.entries.first.map { ", the newest \($0.version)" } ?? ""
            return "release notes \(app): \(count) \(count == 1 ? "version" : "versions")\(newest)"
        }
    }
}
