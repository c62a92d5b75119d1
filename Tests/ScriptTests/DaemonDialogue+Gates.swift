import Foundation
import GateModel
import GateScripting
import ProcessSupport

// Gated actions, other people's screens, and secrets.

extension DaemonDialogue {
    mutating func setGate(_ name: String, requires: String?, as person: Person) throws -> Outcome {
        let reply = try lastReply(
            to: ["gates"] + (requires.map { ["set", name, "--requires", $0] } ?? ["unset", name]), as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        func text(_ gate: String) -> String { reply[gate]?["gatedAction"]?.text("requirement") ?? "denied" }
        return .said("\(name): \(text("after")); before: \(text("before"))")
    }

    mutating func setTimeRule(
        _ kind: TimeRule.Kind, _ name: String, _ times: [String], as person: Person
    ) throws -> Outcome {
        let verb = times.isEmpty ? ["unset", name] : ["set", name] + times
        let reply = try lastReply(to: [kind == .schedule ? "schedules" : "allowances"] + verb, as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        func text(_ rule: String) -> String { reply[rule]?.text("notation") ?? "none" }
        return .said("\(TimeRule.choiceName(kind, name)): \(text("after")); before: \(text("before"))")
    }

    mutating func check(_ request: AuthorizationRequest, as person: Person) throws -> Outcome {
        let verb = ["check", request.gatedAction] + subjectOption(request)
        let reply = try lastReply(to: verb, as: person) { reply in
            switch reply.text("outcome") {
            case "OUTCOME_GRANTED": 0
            case "OUTCOME_PERSON_NEEDED": 2
            default: 1
            }
        }
        switch reply.text("outcome") {
        case "OUTCOME_GRANTED": return .outlook(.granted)
        case "OUTCOME_PERSON_NEEDED": return .outlook(.personNeeded)
        case "OUTCOME_DENIED": return .outlook(.denied)
        default: throw UnreadableReply(reply: "\(reply.fields)")
        }
    }

    mutating func authorize(_ request: AuthorizationRequest, as person: Person) throws -> Outcome {
        try ask(authorizing(request) + ["--stdin"], as: person, for: request)
    }

    mutating func ask(_ request: ScriptRequest, as person: Person) throws -> Outcome {
        let verb: [String]
        switch request {
        case .toggle:
            verb = ["toggle"]
            requests[person] = nil
        case .authorize(let request):
            verb = authorizing(request)
            requests[person] = request
        case .paywall(let request):
            verb = ["paywall", "require"] + options(of: request)
            requests[person] = nil
        case .form(let name):
            verb = ["form", "request", name]
            requests[person] = nil
        case .news(let news):
            verb = ["whatsnew", "show", news.app, news.version]
            requests[person] = nil
        }
        let process = try ChildProcess(builtProgram("gatectl"), arguments(verb, as: person), hasInput: false)
        waiting[person] = process
        if try waits(person, process) { return .waits(person.name) }
        return try result(of: person)
    }

    mutating func result(of person: Person) throws -> Outcome {
        guard let process = waiting[person] else { return try resultOfOwnProgram(person) }
        if try waits(person, process) { return .waits(person.name) }
        waiting[person] = nil
        let result = try process.ended()
        guard let reply = result.output.split(separator: "\n").last.flatMap({ GatectlReply(String($0)) }),
            result.status == reply.exitStatus
        else { throw process.failure("exit status \(result.status)") }
        if reply.error == nil, let request = requests[person] {
            return .granted(request.gatedAction, to: person.name, redeemer: nil)
        }
        if let outcome = reply.paywallOutcome { return .paid(outcome) }
        if let outcome = reply.whatsNewOutcome { return .news(outcome) }
        if let id = reply.number("responseId") { return .said("response \(id)") }
        return try outcome(of: reply)
    }

    /// Whether the daemon still has a question of this person's for a screen, or its outcome was not read yet.
    private func waits(_ person: Person, _ process: ChildProcess) throws -> Bool {
        var waits = false
        try waitUntil("\(person.name) waits, or knows more") {
            let uid = requests[person]?.subject?.uid ?? person.uid
            waits = try openPresentations().contains { $0["asked"]?.number("uid") == Int64(uid) }
            return waits || process.hasEnded
        }
        return waits
    }

    mutating func redeem(_ request: AuthorizationRequest, as person: Person) throws -> Outcome {
        guard let proof = proofs[request.gatedAction] else { throw NothingAsked(name: person.name) }
        let fields = ["proof": proof, "gatedAction": request.gatedAction, "details": request.details]
        let reply = try lastReply(
            to: ["call", "gate.v1.Authorization/Redeem", try json(fields)], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .redeemed(requester: world.name(of: UInt32(reply.number("requesterUid") ?? 0)))
    }

    mutating func grants(as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["call", "gate.v1.Authorization/ListGrants", "{}"], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .kept(
            reply.objects("grants").map { grant in
                KeptLine(
                    who: world.name(of: UInt32(grant.number("uid") ?? 0)), gatedAction: grant.text("gatedAction") ?? "",
                    until: elapsed + now.duration(to: grant.deadline ?? now))
            })
    }

    mutating func revoke(_ gatedAction: String, as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["grants", "revoke", gatedAction], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .said("\(reply.number("count") ?? 0) revoked")
    }

    mutating func asks(as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["asks"], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .said(AskLine.text(reply.objects("asks").map { askLine($0) }))
    }

    private func askLine(_ ask: GatectlReply) -> AskLine {
        AskLine(
            number: UInt64(ask.number("number") ?? 0), who: world.name(of: UInt32(ask.number("uid") ?? 0)),
            title: ask.text("title") ?? "", details: ask.text("details") ?? "",
            state: AskLine.state(
                (ask.text("state") ?? "").replacing("STATE_", with: "").lowercased(),
                ask.isTrue("isUntilTomorrow") ? "until tomorrow" : ask.text("choice")))
    }

    mutating func askMoreTime(_ gatedAction: String, _ wish: AskChoice?, as person: Person) throws -> Outcome {
        let words = ["more-time", gatedAction] + (wish.map { ["--amount", $0.text] } ?? [])
        let reply = try lastReply(to: words, as: person) { reply in
            switch reply["ask"]?.text("state") {
            case "STATE_WAITING": 4
            case "STATE_REFUSED": 1
            case _: reply.exitStatus
            }
        }
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .said(AskLine.text(reply["ask"].map { [askLine($0)] } ?? []))
    }

    mutating func answerAsk(_ number: UInt64, _ answer: AskAnswer, as person: Person) throws -> Outcome {
        let words: [String] =
            switch answer {
            case .yes(let choice): ["allow", "\(number)"] + (choice.map { [$0.text] } ?? [])
            case .no: ["refuse", "\(number)"]
            case .notUntilTomorrow: ["refuse", "\(number)", "--until-tomorrow"]
            }
        let reply = try lastReply(to: words, as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .said(AskLine.answered(answer))
    }

    mutating func withdrawAsk(_ number: UInt64, as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["withdraw", "\(number)"], as: person)
        return reply.error.map { .refused($0.text("message") ?? "") } ?? .said("taken back")
    }

    // MARK: - Screens

    mutating func present(as person: Person) throws -> Outcome {
        let screen = try DaemonScreen(person, in: directory) { arguments($0, as: person) }
        guard let line = try screen.process.nextLineAnywhere() else { throw screen.process.failure("it has ended") }
        if line.channel == .error, line.text.hasPrefix("Waiting") {
            screens.append(screen)
            return .said("\(person.name)'s screen is on")
        }
        guard let error = GatectlReply(line.text)?.error else { throw UnreadableReply(reply: line.text) }
        return .refused(error.text("message") ?? "")
    }

    mutating func screen(of person: Person) throws -> Outcome {
        guard let screen = screens.first(where: { $0.person == person }) else { throw NothingAsked(name: person.name) }
        try settleScreens()
        guard let shown = screen.presentation else { return .blank }
        guard let summary = shown.summary, let content = shown.content else {
            throw UnreadableReply(reply: "\(shown.fields)")
        }
        return .shown(
            id: summary.id, by: world.name(of: summary.asked.uid, through: summary.asked.broker?.uid), summary, content)
    }

    mutating func leave(_ person: Person) throws -> Outcome {
        guard let index = screens.firstIndex(where: { $0.person == person }) else {
            throw NothingAsked(name: person.name)
        }
        try settleScreens()
        let screen = screens.remove(at: index)
        let hadOne = screen.presentation != nil
        let before = try status().revisionNumber ?? 0
        screen.process.kill()
        if hadOne {
            try waitUntil("the daemon has noticed") { (try status().revisionNumber ?? 0) > before }
        }
        return .said("\(person.name)'s screen is off")
    }

    /// Waits until every offered presentation is on a screen, and no closed one is.
    func settleScreens() throws {
        try waitUntil("the screens show what is open") {
            let open = try openPresentations()
            let offered = open.filter { $0.text("stage") == "STAGE_OFFERED" }
            guard !offered.contains(where: canBeShown) else { return false }
            // One that a program shows itself is claimed as well, and on no screen.
            let others = Set(asked.filter { $0.value.process != nil }.map { Int64($0.key) })
            let onScreens = open.filter { !others.contains($0.number("id") ?? 0) }
            guard !onScreens.contains(where: { $0.text("stage") == "STAGE_CLAIMED" }) else { return false }
            let claimed = onScreens.filter { $0.text("stage") == "STAGE_SHOWN" }.compactMap { $0.number("id") }
            let shown = screens.compactMap { $0.presentation?["summary"]?.number("id") }
            return Set(claimed) == Set(shown)
        }
    }

    /// A cover stays offered if no presenter may take it.
    private func canBeShown(_ summary: GatectlReply) -> Bool {
        summary.text("kind") != "PRESENTATION_KIND_SIGN_IN"
            || screens.contains { $0.person.roles.contains(.grownUpPresenter) }
    }

    /// Answers on the screen that shows the presentation; `nil` if none does.
    func answerOnScreen(_ id: UInt64, _ answer: String) throws -> Outcome? {
        try settleScreens()
        guard let screen = screens.first(where: { $0.presentation?["summary"]?.number("id") == Int64(id) }) else {
            return nil
        }
        switch screen.presentation?.content {
        case .signIn: return try answerSignIn(on: screen, answer)
        case .whatsNew: return try answerNews(id, on: screen, answer)
        case .challenge, .paywall, .form, .unrecognized, nil: break
        }
        let ends: Set<AuditEntry.Kind> = [.answeredRight, .answeredWrong, .refused, .dismissed, .expired]
        let text: String
        if answer.isEmpty {
            text = ""
        } else {
            guard let challenge = screen.presentation?.challenge else { return nil }
            text = try challenge.answer(for: answer, authenticatorCode: authenticatorCode).presenterJSON
        }
        try screen.answer(text)
        var end: AuditEntry.Kind?
        var name = ""
        try waitUntil("the journal says what became of presentation \(id)") {
            for entry in try journal() {
                // "challenge 3, link.open"
                name = String((entry.text("detail") ?? "").prefix { $0 != "," })
                guard name.hasSuffix(" \(id)"), let kind = entry.auditKind, ends.contains(kind) else { continue }
                end = kind
                break
            }
            return end != nil
        }
        return end.map { .answered(name, $0) }
    }

    // MARK: - Secrets

    mutating func setPasscode(_ text: String) throws -> Outcome {
        try setUp("SetPasscode", ["passcode": base64(text)], "passcode set")
    }

    mutating func setAuthenticator() throws -> Outcome {
        let key = ScriptedSecrets.key.withBytes { String(decoding: $0, as: UTF8.self) }
        return try setUp(
            "EnrolTOTP", ["key": base64(key), "code": base64(try authenticatorCode)], "authenticator set up")
    }

    private func setUp(_ method: String, _ fields: [String: String], _ said: String) throws -> Outcome {
        guard let administrator = world.administrator else { throw NothingAsked(name: "administrator") }
        let reply = try lastReply(to: ["call", "gate.v1.Secrets/\(method)", try json(fields)], as: administrator)
        return reply.error.map { .refused($0.text("message") ?? "") } ?? .said(said)
    }

    // MARK: - Parts

    var authenticatorCode: String {
        get throws {
            let sinceBeginning = ScriptWorld.firstBootTime.duration(to: now)
            return try ScriptedSecrets.code(
                at: WallTime(unixMilliseconds: 1_767_225_600_000 + sinceBeginning.millisecondsRoundedUp))
        }
    }

    private func authorizing(_ request: AuthorizationRequest) -> [String] {
        let details = request.details.isEmpty ? [] : ["--details", request.details]
        return ["authorize", request.gatedAction] + details + (request.redeemer.map { ["--redeemer", "\($0)"] } ?? [])
            + subjectOption(request) + (request.mayWait ? ["--may-wait"] : []) + (request.atOnce ? ["--at-once"] : [])
    }

    private func subjectOption(_ request: AuthorizationRequest) -> [String] {
        request.subject.map { ["--subject", "\($0.uid):\($0.pid):\($0.startTime)"] } ?? []
    }

    func openPresentations() throws -> [GatectlReply] {
        guard let administrator = world.administrator else { return [] }
        return try lastReply(to: ["call", "gate.v1.Presentations/ListPresentations", "{}"], as: administrator)
            .objects("presentations")
    }

    private func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    func json(_ fields: [String: String]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
    }
}
