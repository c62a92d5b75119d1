import GateModel

extension ReleaseNotes {
    /// Makes release notes from what an app brings with a call. The entries have the same limits as an administrator's.
    ///
    /// - Throws: INVALID_ARGUMENT with what is wrong.
    init(app: String, brought entries: [WhatsNew]) throws(GateError) {
        guard WhatsNewNotice.isAppName(app) else {
            throw .invalid(
                "app",
                "An app that brings its notes is named with letters, digits, dots, hyphens and underscores, like org.example.draw."
            )
        }
        guard entries.count <= Limits.appNotes else {
            throw .invalid(
                "notes", "An app brings the notes of at most \(Limits.appNotes) versions. Leave the oldest out.")
        }
        guard Set(entries.map(\.version)).count == entries.count else {
            throw .invalid("notes", "A version is there twice. Keep one of them.")
        }
        if let mistake = entries.lazy.compactMap(\.mistake).first { throw .invalid("notes", mistake) }
        self.init(app: app, entries: entries.sorted { $0.version > $1.version })
    }
}

extension GateError {
    static let tooManyAppsWithNotes = GateError(
        .resourceExhausted, .limit,
        "News of \(Limits.appsWithNotesOfUser) apps that bring their own were seen already. Forget some first: `gatectl whatsnew reset APP`.",
        parameters: ["what": "apps-with-notes", "maximum": "\(Limits.appsWithNotesOfUser)"])
}
