import CommandSupport
import GateCore
import GateForms
import GateModel
import GateScripting

/// Small forms that follow from a seed, and what people do with them.
struct SimulatedForms {
    /// The gated action that asks for the first form.
    static let gatedAction = "club"
    static let name = "club"
    static let app = "org.example.draw"
    private static let names = [name, "consent", "papers"]

    /// A form that an app brings; where the configuration has one of its name, that one wins.
    private static func plan(of uid: UInt32, version: Int) -> AppForm {
        let second = version == 1 ? "" : #",{"linkId":"q2","type":"boolean","text":"Two"}"#
        let json =
            #"{"resourceType":"Questionnaire","id":"plan","status":"active","version":"\#(version)","title":"Plan","item":[{"linkId":"q0","type":"string","text":"Zero"},{"linkId":"q1","type":"boolean","text":"One"}\#(second)]}"#
        guard let node = try? FHIRNode(json: Array(json.utf8)),
            let form = QuestionnaireReader(fallbackName: "plan").form(node).form
        else { preconditionFailure("it is a form") }
        return AppForm(form, of: uid)
    }

    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// A configuration with other forms than before.
    mutating func configuration() -> Configuration {
        var configuration = SimulatedPeople.configuration
        configuration.gatedActions[Self.gatedAction] = GatedAction(title: "Join", requirement: .form(Self.name))
        for name in Self.names where name == Self.name || !oneIn(5) {
            let questionnaire = questionnaire(name)
            configuration.forms[name] = FormDescription(questionnaire: questionnaire, json: [])
        }
        let entries = [AppVersion(1, 1, 0), AppVersion(1, 0, 0)].map { version in
            WhatsNew(
                version: version, title: "New",
                features: [WhatsNew.Feature(image: "", colour: "", title: "It", subtitle: "")],
                primary: WhatsNew.PrimaryAction(title: "OK"),
                secondary: oneIn(2) ? nil : WhatsNew.SecondaryAction(title: "More"))
        }
        configuration.releaseNotes = [Self.app: ReleaseNotes(app: Self.app, entries: entries)]
        return configuration
    }

    // MARK: - Forms

    private mutating func questionnaire(_ name: String) -> Questionnaire {
        var linkIDs: [String] = []
        let items = (0..<Int.random(in: 1...5, using: &random)).map { _ in item(&linkIDs, isInGroup: false) }
        let label = oneIn(2) ? linkIDs.prefix(2).map { Questionnaire.LabelPart.answers(to: $0) } : []
        return Questionnaire(
            name: name, url: "https://example.org/\(name)", version: oneIn(3) ? "2" : "1", title: LocalizedText(name),
            completedBy: name == "consent" ? .grownUp : .anybody, label: label,
            items: items)
    }

    private mutating func item(_ linkIDs: inout [String], isInGroup: Bool) -> QuestionnaireItem {
        let kinds: [QuestionnaireItem.Kind] = [.boolean, .boolean, .string, .integer, .attachment, .group, .display]
        var item = QuestionnaireItem(linkID: "q\(linkIDs.count)", kind: kinds.randomElement(using: &random) ?? .string)
        if item.kind == .group, isInGroup { item.kind = .boolean }
        let earlier = linkIDs
        linkIDs.append(item.linkID)
        item.repeats = oneIn(3)
        item.isRequired = item.kind.isQuestion && oneIn(6)
        if oneIn(4), let question = earlier.randomElement(using: &random) {
            item.enableWhen = [
                QuestionnaireEnableCondition(
                    question: question, comparison: oneIn(2) ? .exists : .equal, answer: .boolean(oneIn(2)))
            ]
        }
        switch item.kind {
        case .group:
            item.items = (0..<Int.random(in: 1...2, using: &random)).map { _ in self.item(&linkIDs, isInGroup: true) }
        case .boolean where oneIn(3): item.initial = [.boolean(oneIn(2))]
        case .integer: item.constraints.maximum = .integer(3)
        case .attachment where oneIn(2): item.constraints.maximumBytes = 4
        case .display: item.repeats = false
        case .boolean, .decimal, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice, .attachment,
            .reference, .quantity:
            break
        }
        if item.kind == .integer, oneIn(2), let question = earlier.randomElement(using: &random) {
            item.isReadOnly = oneIn(2)
            item.expressions.calculated = "%resource.descendants().where(linkId = '\(question)').answer.count()"
        } else if item.kind.isQuestion, oneIn(4), let parent = earlier.randomElement(using: &random) {
            item.parents = [parent]
        }
        return item
    }

    // MARK: - Commands

    /// - Parameter cookie: of what this peer has on a screen, or had; `nil`: nothing.
    mutating func command(in state: GateState, _ peer: Peer, cookie: PresentationCookie?) -> Command {
        let name = oneIn(8) ? "plan" : Self.names.randomElement(using: &random) ?? ""
        let target = FormTarget(name: name, cookie: oneIn(5) ? cookie : nil, draftID: draftID(of: name, state))
        switch Int.random(in: 0..<35, using: &random) {
        case 0...4:
            guard name == "plan" else { return .openForm(target) }
            return .openForm(FormTarget(name: "plan"), own: Self.plan(of: peer.uid, version: oneIn(2) ? 1 : 2))
        case 32, 33:
            let begun = FormTarget(name: name, cookie: target.cookie)
            return .openForm(begun, beginsAnother: true, label: oneIn(2) ? "" : "begun")
        case 34: return .labelDraft(target, label: oneIn(2) ? "" : "labelled")
        case 5...15: return .editForm(target, at: revision(of: target, state), edit(of: target, state))
        case 16: return .saveForm(target)
        case 17, 18: return .loadForm(target, at: nil, response: oneIn(2) ? nil : responseID(state))
        case 19...22: return .completeForm(target, at: revision(of: target, state))
        case 23: return .discardForm(target)
        case 24, 25: return .withdrawResponse(responseID(state))
        case 26 where name == "plan": return .requestForm(name: "plan", own: Self.plan(of: peer.uid, version: 1))
        case 26: return oneIn(3) ? .requestForm(name: target.name) : .completeForm(target, at: nil)
        case 27, 28:
            return .showWhatsNew(
                app: Self.app, AppVersion(1, oneIn(2) ? 0 : 1, oneIn(2) ? 0 : 7),
                presenting: oneIn(2) ? .here : .elsewhere)
        case 29, 30: return .acknowledgeWhatsNew(app: Self.app, AppVersion(1, 0, 0))
        default: return .resetWhatsNew(app: oneIn(2) ? nil : Self.app)
        }
    }

    /// A command of a peer that has a form on its screen.
    mutating func command(in state: GateState, on invitation: FormInvitation, _ cookie: PresentationCookie) -> Command {
        let target = FormTarget(
            name: invitation.name, cookie: cookie, draftID: draftID(of: invitation.name, state))
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return .openForm(target)
        case 2: return .completeForm(target, at: newestRevision(of: target, state))
        case 3: return .awaitClosing(cookie)
        // A form is soon dismissed, so that questions get the screen.
        case 4...6: return .dismiss(cookie)
        default: return .editForm(target, at: nil, edit(of: target, state))
        }
    }

    /// Mostly the draft that is opened without a number; else anybody's.
    private mutating func draftID(of name: String, _ state: GateState) -> UInt64 {
        guard oneIn(3) else { return 0 }
        return state.openForms.keys.filter { $0.name == name }.map(\.id).sorted().randomElement(using: &random) ?? 1
    }

    private mutating func revision(of target: FormTarget, _ state: GateState) -> UInt64? {
        oneIn(3) ? newestRevision(of: target, state) : nil
    }

    private func newestRevision(of target: FormTarget, _ state: GateState) -> UInt64? {
        state.openForms.filter { $0.key.name == target.name }.map(\.value.revision).max()
    }

    private mutating func responseID(_ state: GateState) -> UInt64 {
        UInt64.random(in: 1...state.records.nextResponse, using: &random)
    }

    private mutating func edit(of target: FormTarget, _ state: GateState) -> FormEdit {
        let path = path()
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .reset
        case 1: return .remove(path)
        case 2:
            let kept = state.records.responses.values.sorted { $0.summary.id < $1.summary.id }.map(\.response)
            return .fill(
                kept.randomElement(using: &random) ?? QuestionnaireResponse(status: .completed), attachments: [:])
        case 3, 4:
            let (values, attachments) = answers()
            return .suggest(path, values, attachments: attachments)
        default:
            let (values, attachments) = answers()
            return .set(path, values, attachments: attachments)
        }
    }

    private mutating func path() -> FormPath {
        let last = FormPath.Step("q\(Int.random(in: 0...6, using: &random))", oneIn(8) ? 0 : nil)
        guard oneIn(3) else { return FormPath([last]) }
        let group = "q\(Int.random(in: 0...4, using: &random))"
        return FormPath([FormPath.Step(group, Int.random(in: 0...2, using: &random)), last])
    }

    private mutating func answers() -> (values: [FormValue], attachments: [AttachmentDigest: [UInt8]]) {
        var attachments: [AttachmentDigest: [UInt8]] = [:]
        let values: [FormValue] = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return .boolean(oneIn(2))
            case 1: return .string(oneIn(2) ? "a" : "b")
            case 2: return .integer(Int32.random(in: 0...4, using: &random))
            default:
                let count = Int.random(in: 1...5, using: &random)
                let document = [UInt8](repeating: 0, count: count)
                guard let digest = Self.name(of: document) else { return nil }
                if !oneIn(4) { attachments[digest] = document }
                return .attachment(FormAttachment(mediaType: nil, byteCount: 99, digest: digest))
            }
        }
        return (values, attachments)
    }

    /// Stands in for the digest of a document: its length is enough.
    static func name(of document: [UInt8]) -> AttachmentDigest? {
        AttachmentDigest(
            bytes: [UInt8](repeating: UInt8(clamping: document.count), count: AttachmentDigest.byteCount))
    }

    private mutating func oneIn(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }
}
