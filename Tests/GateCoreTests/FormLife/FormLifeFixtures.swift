import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

extension Questionnaire {
    /// A form that only a grown-up completes.
    static let consent = life(
        "consent", version: "2", completedBy: .grownUp,
        [
            .question("child", .string) { $0.isRequired = true },
            .question("agreed", .boolean) { $0.initial = [.boolean(false)] },
        ])

    static let profile = life(
        "profile", version: "1",
        [
            .question("name", .string) { $0.isRequired = true },
            .question("has-pet", .boolean),
            .question("pet", .string) { $0.enableWhen = [.when("has-pet", .equal, .boolean(true))] },
            .question("street", .string),
            .question("house", .string) { $0.parents = ["street"] },
            .question("hobby", .string) {
                $0.repeats = true
                $0.initial = [.string("reading")]
            },
            .group("friend", [.question("friend-name", .string)]) {
                $0.repeats = true
                $0.definition = "https://gate.example/parts/friend"
            },
            .question("portrait", .attachment),
            .question("picture-of-pet", .attachment) {
                $0.enableWhen = [.when("has-pet", .equal, .boolean(true))]
            },
        ])

    /// A form without a version.
    static let report = life(
        "report", version: nil,
        [
            .question("papers", .attachment) { $0.repeats = true },
            .question("ticket", .attachment) { $0.constraints.maximumBytes = 4 },
            .question("remarks", .text) { $0.repeats = true },
        ])

    static func life(
        _ name: String, version: String?, completedBy: CompletedBy = .anybody, _ items: [QuestionnaireItem],
        labelledBy labelItems: [String] = []
    ) -> Questionnaire {
        Questionnaire(
            name: name, url: "https://gate.example/fhir/Questionnaire/\(name)", version: version,
            title: "The \(name)", completedBy: completedBy, label: labelItems.map { .answers(to: $0) }, items: items)
    }
}

extension Configuration {
    /// The policy with sums before parent mode, forms, and gated actions that ask for them.
    static let asking = {
        var configuration = gates
        configuration.forms = forms([.consent, .profile, .report])
        let sum = Requirement.challenge(ChallengeRule(.arithmeticChoice))
        configuration.gatedActions["play"] = GatedAction(title: "Play online", requirement: .form("consent"))
        configuration.gatedActions["chat"] = GatedAction(title: "Chat", requirement: .form("profile"))
        configuration.gatedActions["join"] = GatedAction(
            title: "Join a club", requirement: .all([sum, .form("consent")]))
        configuration.gatedActions["meet"] = GatedAction(
            title: "Meet", requirement: .all([.form("profile"), .form("report")]))
        configuration.gatedActions["draw"] = GatedAction(
            title: "Draw", requirement: .any([.form("profile"), .parentMode]), style: .fullScreenCover)
        configuration.releaseNotes = ["org.example.draw": .draw]
        return configuration
    }()

    static func forms(_ questionnaires: [Questionnaire]) -> [String: FormDescription] {
        Dictionary(
            uniqueKeysWithValues: questionnaires.map { ($0.name, FormDescription(questionnaire: $0, json: [])) })
    }

    /// The same policy with another form in place of the one of that name.
    func with(_ questionnaire: Questionnaire) -> Configuration {
        var changed = self
        changed.forms[questionnaire.name] = FormDescription(questionnaire: questionnaire, json: [])
        return changed
    }

    func without(form name: String) -> Configuration {
        var changed = self
        changed.forms[name] = nil
        return changed
    }
}

extension ReleaseNotes {
    static let draw = ReleaseNotes(
        app: "org.example.draw",
        entries: [AppVersion(2, 0, 0), AppVersion(1, 3, 1), AppVersion(1, 2, 3), AppVersion(1, 2, 0)].map(WhatsNew.of))
}

extension WhatsNew {
    static func of(_ version: AppVersion) -> WhatsNew {
        WhatsNew(
            version: version, title: "New in \(version)",
            features: [Feature(image: "", colour: "", title: "Layers", subtitle: "")],
            primary: PrimaryAction(title: "Continue"),
            // An odd version has no second button.
            secondary: version.patch == 1 ? nil : SecondaryAction(title: "More", url: "https://example.org/"))
    }
}

extension FormHolder {
    static let anna = FormHolder.user(Peer.anna.uid)
    static let ben = FormHolder.user(Peer.ben.uid)
}

// MARK: - What they do with forms

extension Device {
    static func asking(_ presenters: Peer...) throws -> Device {
        var device = Device(configuration: .asking)
        device.wallTime = WallTime(unixMilliseconds: 1_767_225_600_000)
        for presenter in presenters { try device.apply(.register(.everything), as: presenter) }
        return device
    }

    @discardableResult
    mutating func openForm(_ name: String, _ cookie: PresentationCookie? = nil, as peer: Peer) throws -> FormSummary {
        try apply(.openForm(FormTarget(name: name, cookie: cookie)), as: peer).formChange().summary
    }

    /// Answers one question.
    @discardableResult
    mutating func set(
        _ name: String, _ path: String, _ values: FormValue..., at revision: UInt64? = nil,
        cookie: PresentationCookie? = nil,
        as peer: Peer
    ) throws -> FormChange {
        let edit = FormEdit.set(try .at(path), values, attachments: [:])
        return try apply(.editForm(FormTarget(name: name, cookie: cookie), at: revision, edit), as: peer).formChange()
    }

    @discardableResult
    mutating func complete(
        _ name: String, at revision: UInt64? = nil, _ cookie: PresentationCookie? = nil, as peer: Peer
    ) throws -> UInt64 {
        let target = FormTarget(name: name, cookie: cookie)
        // With a cookie, the form is completed as it is on the screen now.
        let shown = cookie == nil ? nil : try state.form(target, for: peer, at: now).summary.revision
        return try apply(.completeForm(target, at: revision ?? shown), as: peer).responseID()
    }

    @discardableResult
    mutating func save(_ name: String, as peer: Peer) throws -> UInt64 {
        try apply(.saveForm(FormTarget(name: name)), as: peer).responseID()
    }

    /// Fills in and completes the form.
    @discardableResult
    mutating func completeProfile(named name: String = "Lina", as peer: Peer) throws -> UInt64 {
        try openForm("profile", as: peer)
        try set("profile", "name", .string(name), as: peer)
        return try complete("profile", as: peer)
    }

    /// Fills in the form so that a grown-up can complete it.
    mutating func fillConsent(_ cookie: PresentationCookie? = nil, as peer: Peer) throws {
        try openForm("consent", cookie, as: peer)
        try set("consent", "child", .string("Lina"), cookie: cookie, as: peer)
    }

    /// The refusal of a command; `nil` if it is not refused. The device is not changed.
    func refusal(_ command: Command, as peer: Peer) -> GateError? {
        do throws(GateError) {
            try applied(command, as: peer)
            return nil
        } catch {
            return error
        }
    }

    func values(_ name: String, _ path: String, of holder: FormHolder) throws -> [FormValue]? {
        try state.formDraft(of: holder, named: name)?.values(path)
    }

    func revision(_ name: String, of holder: FormHolder) -> UInt64? {
        state.openForms[FormDraftKey(holder: holder, name: name)]?.revision
    }

    // MARK: - What must hold

    /// Checks that the records equal the state, that a restart restores it, and that documents are kept exactly as long
    /// as something names them.
    func checkForms(_ comment: Comment? = nil) {
        #expect(stored == state.records, comment)
        let restored = GateState(restoring: stored, configuration: state.configuration)
        var named: Set<AttachmentDigest> = []
        for (key, _) in state.openForms {
            let rows = state.records.draftRows[key] ?? [:]
            for row in rows.values { named.formUnion(row.attachments) }
            guard state.configuration.forms[key.name] != nil else { continue }
            let draft = state.formDraft(of: key.holder, named: key.name, id: key.id)
            #expect(draft?.rows == rows, "what is stored of \(key.text) is not what it is")
            #expect(draft == restored.formDraft(of: key.holder, named: key.name, id: key.id), comment)
        }
        #expect(state.forms(visibleTo: .root) == restored.forms(visibleTo: .root), "a restart would change a label")
        for response in state.records.responses.values { named.formUnion(response.response.attachments) }
        for part in state.records.parts.values { named.formUnion(part.content.attachments) }
        #expect(
            Set(state.records.attachments.keys) == named,
            "documents are kept that nothing names, or the other way round")
        #expect(Set(state.records.draftRows.keys).isSubset(of: state.openForms.keys), comment)
    }
}

extension Transition {
    func formChange() throws -> FormChange {
        guard case .form(let change) = reply else { throw UnexpectedReply(reply: reply) }
        return change
    }

    func responseID() throws -> UInt64 {
        guard case .responded(let id) = reply else { throw UnexpectedReply(reply: reply) }
        return id
    }
}
