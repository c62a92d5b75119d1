import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

extension Configuration {
    /// A policy with everything: a required sign-in, Premium for sale, forms, and release notes.
    static let everything = {
        var configuration = premium
        configuration.forms = asking.forms
        configuration.releaseNotes = asking.releaseNotes
        for name in ["play", "chat", "join", "meet", "draw"] {
            configuration.gatedActions[name] = asking.gatedActions[name]
        }
        configuration.household = ofLaptop.household
        return configuration
    }()
}

// Commands about forms and release notes in a random walk.
extension RandomWalk {
    private mutating func any<Element>(_ elements: [Element], or other: Element) -> Element {
        elements.randomElement(using: &chance) ?? other
    }

    private mutating func oneIn(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &chance) == 0 }

    mutating func formCommand(of peer: Peer) -> Command {
        let target = formTarget(of: peer)
        switch Int.random(in: 0..<39, using: &chance) {
        case 0...4:
            guard oneIn(5) else { return .openForm(target) }
            let items: [QuestionnaireItem] =
                [.question("name", .string)] + (oneIn(2) ? [] : [.question("more", .string)])
            let form = FormDescription(
                questionnaire: .life(oneIn(4) ? "consent" : "plan", version: "1", items), json: [])
            return .openForm(
                FormTarget(name: form.questionnaire.name), beginsAnother: oneIn(4), own: AppForm(form, of: peer.uid))
        case 32, 33: return .openForm(target, beginsAnother: true, label: oneIn(2) ? "" : "begun")
        case 34:
            return oneIn(2)
                ? .labelDraft(target, label: oneIn(2) ? "" : "labelled")
                : .announceSuggestion(target, at: revision(of: target), path(), for: .seconds(oneIn(2) ? 1 : 30))
        case 35, 36: return .savePart(target, path(), over: oneIn(3) ? partID() : nil, label: oneIn(2) ? "" : "kept")
        case 37: return .labelPart(partID(), label: oneIn(2) ? "" : "labelled")
        case 38: return .removePart(partID())
        case 5...13: return .editForm(target, at: revision(of: target), edit(of: target, by: peer))
        case 14: return .saveForm(target)
        case 15, 16: return .loadForm(target, at: revision(of: target), response: oneIn(2) ? nil : responseID())
        case 17...21: return .completeForm(target, at: revision(of: target))
        case 22: return .discardForm(target)
        case 23, 24: return .withdrawResponse(responseID())
        case 25: return oneIn(3) ? .requestForm(name: target.name) : .completeForm(target, at: nil)
        case 26...28: return .showWhatsNew(app: app(), version(), presenting: oneIn(2) ? .here : .elsewhere)
        case 29...30: return .acknowledgeWhatsNew(app: app(), version())
        default: return .resetWhatsNew(app: oneIn(2) ? nil : app())
        }
    }

    /// A command of a peer that has this on its screen, which is no challenge.
    mutating func act(on presentation: Presentation) -> Command {
        let cookie = presentation.cookie
        switch (presentation.content, Int.random(in: 0..<6, using: &chance)) {
        // A form or news are soon dismissed, so that questions get the screen.
        case (_, 0...2): return .dismiss(cookie)
        case (.whatsNew, _): return .complete(cookie, .acknowledged(oneIn(2) ? .secondary : .primary))
        case (.form(let invitation), 3...4):
            let target = FormTarget(name: oneIn(9) ? "profile" : invitation.name, cookie: cookie)
            let shown = device.state.openForms.filter { $0.key.name == target.name }.map(\.value.revision).max()
            return any(
                [
                    .openForm(target), .completeForm(target, at: shown), .completeForm(target, at: shown),
                    .editForm(target, at: nil, edit(of: target, by: .anna)),
                    .editForm(target, at: nil, edit(of: target, by: .anna)), .discardForm(target),
                ], or: .openForm(target))
        case (.challenge, _), (.signIn, _), (.paywall, _), (.form, _), (.unrecognized, _):
            return .awaitClosing(cookie)
        }
    }

    /// Mostly a draft of one's own; now and then one by a cookie, which may be somebody else's.
    private mutating func formTarget(of peer: Peer) -> FormTarget {
        let name = any(["profile", "profile", "report", "consent", "rocket"], or: "")
        let ids = device.state.openForms.keys.filter { $0.name == name }.map(\.id).sorted()
        let id = oneIn(3) ? any(ids, or: 1) : 0
        guard oneIn(6), let shown = device.shown(to: oneIn(4) ? .mara : peer) else {
            return FormTarget(name: name, draftID: id)
        }
        return FormTarget(name: name, cookie: shown.cookie, draftID: id)
    }

    private mutating func revision(of target: FormTarget) -> UInt64? {
        guard oneIn(3) else { return nil }
        let known = device.state.openForms.filter { $0.key.name == target.name }.map(\.value.revision).max() ?? 1
        return oneIn(3) ? known &+ 1 : known
    }

    private mutating func responseID() -> UInt64 {
        UInt64.random(in: 0...device.state.records.nextResponse, using: &chance)
    }

    private mutating func partID() -> UInt64 { UInt64.random(in: 0...device.state.records.nextPart, using: &chance) }

    private mutating func app() -> String { oneIn(9) ? "rocket" : "org.example.draw" }

    private mutating func version() -> AppVersion {
        AppVersion(UInt32.random(in: 0...2, using: &chance), UInt32.random(in: 0...3, using: &chance), oneIn(2) ? 0 : 3)
    }

    // MARK: - Answers

    private mutating func edit(of target: FormTarget, by peer: Peer) -> FormEdit {
        let (values, attachments) = answer()
        switch Int.random(in: 0..<13, using: &chance) {
        case 12:
            return .take(oneIn(3) ? path() : FormPath("friend"), parts: oneIn(3) ? [partID(), partID()] : [partID()])
        case 0: return .reset
        case 1: return .remove(path())
        case 2: return .suggest(path(), values, attachments: attachments)
        case 3:
            let kept = device.state.records.responses.values.sorted { $0.summary.id < $1.summary.id }.map(\.response)
            let response = any(kept, or: QuestionnaireResponse(status: .inProgress))
            return oneIn(2) ? .fill(response, attachments: attachments) : .amend(response, attachments: attachments)
        case 4...6:
            // These answers make some drafts complete.
            let name = target.name == "consent" ? "child" : "name"
            return .set(FormPath(name), [.string("Lina")], attachments: [:])
        default: return .set(path(), values, attachments: attachments)
        }
    }

    private mutating func path() -> FormPath {
        let texts = [
            "name", "has-pet", "has-pet", "pet", "street", "house", "hobby", "friend[0]/friend-name",
            "friend[1]/friend-name", "friend[2]/friend-name", "friend[0]", "friend[1]", "portrait", "picture-of-pet",
            "papers", "papers", "ticket", "remarks", "child", "agreed", "rocket",
        ]
        return FormPath(text: any(texts, or: "")) ?? FormPath("name")
    }

    private mutating func answer() -> (values: [FormValue], attachments: [AttachmentDigest: [UInt8]]) {
        var attachments: [AttachmentDigest: [UInt8]] = [:]
        let values: [FormValue] = (0..<Int.random(in: 0...2, using: &chance)).compactMap { _ in
            switch Int.random(in: 0..<4, using: &chance) {
            case 0: return .boolean(oneIn(2))
            case 1: return .string(any(["a", "b", "é", "e\u{301}", ""], or: ""))
            default:
                let bytes = [UInt8](repeating: 1, count: Int.random(in: 1...6, using: &chance))
                guard let digest = try? AttachmentDigest.of(bytes) else { return nil }
                if !oneIn(4) { attachments[digest] = bytes }
                return .attachment(FormAttachment(mediaType: "text/plain", byteCount: 1, digest: digest))
            }
        }
        return (values, attachments)
    }

    /// Changes to a policy with other forms, or none.
    mutating func changeForms(_ configuration: inout Configuration) {
        if oneIn(3) { configuration.forms["report"] = nil }
        if oneIn(3) {
            var other = Questionnaire.profile
            other.version = "2"
            other.items[0] = .question("name", .boolean)
            other.items.swapAt(1, 2)
            configuration = configuration.with(other)
        }
        if oneIn(4) { configuration.releaseNotes = [:] }
    }

    // MARK: - What must hold

    func checkForms(_ transition: Transition, of command: Command, by peer: Peer, since before: Device) {
        let (now, then) = (device.state.records, before.state.records)
        let dropped = transition.records.compactMap { if case .forms(.draftRemoved(let key)) = $0 { key } else { nil } }
        for (key, draft) in then.drafts where !dropped.contains(key) {
            guard let later = now.drafts[key] else {
                Issue.record("a draft went without a word")
                continue
            }
            #expect(later.revision >= draft.revision, "\(command)")
            if then.draftRows[key] != now.draftRows[key] { #expect(later.revision > draft.revision, "\(command)") }
        }
        for (key, draft) in now.drafts where then.drafts[key]?.revision != draft.revision {
            #expect(draft.revision > then.lastDraftRevision, "a revision came twice, with \(command)")
        }
        #expect(now.nextResponse >= then.nextResponse && now.responses.keys.allSatisfy { $0 < now.nextResponse })
        checkResponses(now, then, command)
        checkCompletion(transition, command, by: peer)
        checkHolders(now)
        if transition.records.contains(where: \.isOfForms) { device.checkForms() }
    }

    /// A completed response is unchanged until it is withdrawn or its account is removed.
    private func checkResponses(_ now: DurableRecords, _ then: DurableRecords, _ command: Command) {
        for (id, record) in then.responses {
            switch (command, now.responses[id]) {
            case (.withdrawResponse(id), nil): #expect(record.summary.status != .completed)
            case (.withdrawResponse(id), let later?):
                #expect(later.summary.status == .enteredInError && later.response.items == record.response.items)
            case (.people(.remove(let name, _)), nil): #expect(record.summary.holder == .account(name))
            case (_, let later): #expect(later == record, "\(command) changed what was kept")
            }
        }
    }

    /// A form for grown-ups is completed only by a grown-up.
    private func checkCompletion(_ transition: Transition, _ command: Command, by peer: Peer) {
        for case .forms(.responseSet(let record)) in transition.records where record.summary.status == .completed {
            guard AppsOwnName(record.summary.name) == nil else { continue }
            #expect(
                record.summary.version == device.state.configuration.forms[record.summary.name]?.questionnaire.version)
            guard case .forms(.completeForm(let target, _)) = command, record.summary.name == "consent" else {
                continue
            }
            #expect(peer.isAdministrator || target.cookie != nil)
        }
    }

    /// An account that does not exist has no forms.
    private func checkHolders(_ records: DurableRecords) {
        let holders =
            records.drafts.keys.map(\.holder) + records.responses.values.map(\.summary.holder)
            + records.whatsNewSeen.keys.map(\.holder)
        for case .account(let name) in Set(holders.map(\.kind)) {
            #expect(records.people[name] != nil, "forms of an account that is gone")
        }
        #expect(
            Set(holders).allSatisfy { holder in
                records.drafts.keys.count { $0.holder == holder } <= Limits.draftsOfHolder
            })
        #expect(records.whatsNewSeen.values.allSatisfy { !$0.isEmpty })
    }
}

extension RecordChange {
    fileprivate var isOfForms: Bool {
        switch self {
        case .forms: true
        case .restored, .whatsNewSeen, .whatsNewForgotten, .lockoutSet, .lockoutRemoved, .damageSet,
            .nextPresentationSet,
            .keptGrantSet, .keptGrantRemoved, .askSet, .askRemoved, .passcodeSet, .totpSet, .personSet, .personRemoved,
            .claimSet,
            .claimRemoved, .nextManualClaimSet, .customerHeard, .customerForgotten, .notificationTaken,
            .notificationForgotten, .receiptSet, .receiptRemoved, .householdListSet, .householdPolicySet, .deviceKeySet,
            .householdSeen, .answerToAskSet, .answerToAskRemoved, .gateChoiceSet, .gateChoiceRemoved, .usageSet,
            .usageRemoved, .usageElsewhereSet, .usageElsewhereRemoved, .ageSettingsSet, .ageChoiceSet,
            .ageChoiceRemoved:
            false
        }
    }
}
