import Foundation
import GateModel
import GateScripting
import ProcessSupport
import ReceiptSupport

// People, and what is paid for.

/// A transaction as the store has signed it so far.
struct SignedPurchase {
    let product: String
    let purchasedAt: WallTime
    let expiresAt: WallTime?
}

extension DaemonDialogue {
    // MARK: - People

    mutating func logIn(_ name: String, password: String, as person: Person) throws -> Outcome {
        try signIn(["login", name, "--password-file", "-"], "\(password)\n", as: person)
    }

    mutating func logOut(as person: Person) throws -> Outcome {
        try signIn(["logout"], "", as: person)
    }

    mutating func register(_ listed: GatePerson, password: String, as person: Person) throws -> Outcome {
        let child: [String] =
            switch listed.kind {
            case .grownUp, .child(nil), .shared: []
            case .child(let born?): ["--child", "\(born)"]
            }
        let verb = ["register", listed.name] + child + ["--password-file", "-"]
        return try said("registered", by: verb, "\(password)\n", as: person)
    }

    mutating func changePassword(
        of name: String, from old: String, to new: String, as person: Person
    ) throws -> Outcome {
        try said("password changed", by: ["password", name, "--password-file", "-"], "\(old)\n\(new)\n", as: person)
    }

    mutating func setPassword(of name: String, to new: String, as person: Person) throws -> Outcome {
        try said("password changed", by: ["password", name, "--reset", "--password-file", "-"], "\(new)\n", as: person)
    }

    mutating func removePerson(_ name: String, as person: Person) throws -> Outcome {
        try said("removed", by: ["people", "remove", name], as: person)
    }

    mutating func confirm(_ name: String, password: String, as person: Person) throws -> Outcome {
        try said("confirmed", by: ["people", "confirm", name, "--password-file", "-"], "\(password)\n", as: person)
    }

    mutating func set(_ listed: GatePerson, as person: Person) throws -> Outcome {
        let kind: [String] =
            switch listed.kind {
            case .grownUp: ["--grown-up"]
            case .shared: ["--shared"]
            case .child(let born): ["--child"] + (born.map { ["--born", "\($0)"] } ?? [])
            }
        let user = listed.user.map { ["--user", $0.name] } ?? ["--no-user"]
        return try said("set", by: ["people", "set", listed.name] + kind + user, as: person)
    }

    mutating func people(as person: Person) throws -> Outcome {
        let reply = try lastReply(to: ["people"], as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .people(reply.objects("people").compactMap(\.person))
    }

    mutating func who() throws -> Outcome { .signIn(try shownSignIn()) }

    // MARK: - What is paid for

    mutating func entitlements() throws -> Outcome { .entitlements(try shownEntitlements()) }

    mutating func give(_ gift: ScriptGift, as person: Person) throws -> Outcome {
        let end = gift.duration.map { wallTime.unixMilliseconds + $0.millisecondsRoundedUp }
        let until = end.map { ["--until", Date(timeIntervalSince1970: Double($0) / 1000).ISO8601Format()] } ?? []
        let verb = ["entitlements", "add", gift.entitlement] + options(of: gift.holder) + until
        let reply = try lastReply(to: verb, as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        return .said("given, as manual \(reply.text("name") ?? "")")
    }

    mutating func offer(_ offers: [Offer], for entitlement: String, as person: Person) throws -> Outcome {
        let json = offers.map { offer in
            [
                "product": offer.product, "price": offer.price, "period": offer.period?.iso8601 ?? "",
                "url": offer.url ?? "",
            ]
        }
        let file = try JSONSerialization.data(withJSONObject: ["offers": json])
        let verb = ["entitlements", "report-offers", entitlement, "--provider", "storekit", "-"]
        return try said("offered", by: verb, String(decoding: file, as: UTF8.self), as: person)
    }

    mutating func takeBack(_ claim: Claim.ID, as person: Person) throws -> Outcome {
        try said("taken back", by: ["entitlements", "revoke", claim.provider.rawValue, claim.name], as: person)
    }

    mutating func submit(_ statement: ScriptStatement, as person: Person) throws -> Outcome {
        let signed: String
        var whose: Claim.Holder?
        switch statement {
        case .bought(let transaction, let product, let duration, let holder):
            let purchase = SignedPurchase(
                product: product, purchasedAt: wallTime,
                expiresAt: duration.map {
                    WallTime(unixMilliseconds: wallTime.unixMilliseconds + $0.millisecondsRoundedUp)
                })
            purchases[transaction] = purchase
            signed = try self.signed(purchase, transaction)
            whose = holder
        case .refunded(let transaction):
            guard let purchase = purchases[transaction] else { throw NothingAsked(name: "transaction \(transaction)") }
            signed = try self.signed(purchase, transaction, revokedAt: wallTime)
        case .unpaid(let transaction, let grace):
            signed = try store.renewalInfo(
                original: transaction, isInBillingRetry: true,
                gracePeriodEndsAt: grace.map {
                    WallTime(unixMilliseconds: wallTime.unixMilliseconds + $0.millisecondsRoundedUp)
                }, signedAt: wallTime)
        }
        let verb = ["entitlements", "submit", "-"] + (whose.map { options(of: $0) } ?? [])
        return try said("taken", by: verb, signed, as: person)
    }

    private func signed(_ purchase: SignedPurchase, _ transaction: String, revokedAt: WallTime? = nil) throws -> String
    {
        try store.transaction(
            product: purchase.product, original: transaction, purchasedAt: purchase.purchasedAt,
            expiresAt: purchase.expiresAt, revokedAt: revokedAt, signedAt: wallTime)
    }

    mutating func withdraw(presentation id: UInt64, as person: Person) throws -> Outcome {
        try said("put away", by: ["cancel", "\(id)"], as: person)
    }

    private func options(of holder: Claim.Holder) -> [String] {
        switch holder {
        case .device: ["--device"]
        case .account(let name): ["--account", name]
        }
    }

    func options(of request: PaywallRequest) -> [String] {
        [request.entitlement].compactMap(\.self) + (request.provider.map { ["--provider", $0.rawValue] } ?? [])
    }

    // MARK: - On a screen, and in a program of one's own

    /// Types a name and a password into a sign-in on a screen; nothing: tries to dismiss it.
    func answerSignIn(on screen: DaemonScreen, _ text: String) throws -> Outcome {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let fields = ["name": words.first ?? "", "password": words.dropFirst().first ?? ""]
        let json = String(decoding: try JSONSerialization.data(withJSONObject: fields), as: UTF8.self)
        try screen.answer(text.isEmpty ? "" : json + "\n")
        // The next content of the screen shows the outcome.
        try waitUntil("the screen takes the answer") { screen.hasTakenAnswer }
        var outcome: Outcome?
        try waitUntil("the screen says what came of it") {
            let signIn = try shownSignIn()
            outcome = signIn.name == nil ? screen.note.isEmpty ? nil : .refused(screen.note) : .signIn(signIn)
            return outcome != nil
        }
        return outcome ?? .blank
    }

    /// The outcome of a presentation that a program shows until the state closes it.
    mutating func resultOfOwnProgram(_ person: Person) throws -> Outcome {
        let shown = asked.filter { $0.value.person == person && $0.value.process != nil && $0.value.isClosedByState }
        guard let id = shown.keys.max(), let question = shown[id], let process = question.process else {
            throw NothingAsked(name: person.name)
        }
        let isOpen = try openPresentations().contains { $0.number("id") == Int64(id) }
        if isOpen, try !isBroughtAbout(question.content) { return .waits(person.name) }
        guard let line = try process.nextLineOrEnd() else { throw process.failure("no result") }
        guard let reply = GatectlReply(line) else { throw UnreadableReply(reply: line) }
        asked[id]?.process = nil
        let next = reply["next"] ?? reply.presentation
        if let next = try self.shown(next, to: person, by: process, for: question.request) { return next }
        if reply.error == nil, let request = question.request {
            return try granted(request, to: person, reply, by: process)
        }
        try check(process, reply)
        return try outcome(of: reply)
    }

    /// Whether the state is about to close it: its program may only not have called `awaitClosing` yet.
    private func isBroughtAbout(_ content: Presentation.Content) throws -> Bool {
        switch content {
        case .challenge, .whatsNew, .unrecognized: false
        case .signIn: try shownSignIn().name != nil
        case .paywall(let paywall):
            try shownEntitlements().lines.contains {
                $0.name == paywall.entitlement && $0.status?.isActive ?? false
            }
        case .form(let invitation): try isCompleted(invitation)
        }
    }

    // MARK: - Watching

    mutating func watchSignIn(as person: Person) throws -> Outcome {
        if signInWatchers[person] == nil {
            signInWatchers[person] = DaemonWatcher(process: try watching("signIn", as: person))
        }
        try settle()
        return .seenSignIn(signInWatchers[person]?.read() ?? [])
    }

    mutating func watchEntitlements(as person: Person) throws -> Outcome {
        if entitlementWatchers[person] == nil {
            entitlementWatchers[person] = DaemonWatcher(process: try watching("entitlements", as: person))
        }
        try settle()
        return .seenEntitlements(entitlementWatchers[person]?.read() ?? [])
    }

    func watching(_ topic: String, as person: Person) throws -> ChildProcess {
        try ChildProcess(builtProgram("gatectl"), arguments(["watch", "--topic", topic], as: person), hasInput: false)
    }

    /// Waits until screens have shown and watchers have heard what the last command changed. The daemon tells a watcher
    /// of two changes at once if the second comes before its turn, so the next command waits.
    mutating func settle() throws {
        for person in watchers.keys { try catchUp(person) }
        if !screens.isEmpty { try settleScreens() }
        try settleForms()
        guard !signInWatchers.isEmpty || !entitlementWatchers.isEmpty else { return }
        let status = try status()
        let (now, wallTime, elapsed) = (now, wallTime, elapsed)
        if let state = status["signIn"]?["state"] {
            let shown = state.shownSignIn(at: now, elapsed)
            for person in signInWatchers.keys {
                try signInWatchers[person]?.catchUp(with: shown) { $0["signIn"]?.shownSignIn(at: now, elapsed) }
            }
        }
        if let state = status["entitlements"]?["state"] {
            let shown = state.shownEntitlements(at: wallTime, elapsed)
            for person in entitlementWatchers.keys {
                try entitlementWatchers[person]?.catchUp(with: shown) {
                    $0["entitlements"]?.shownEntitlements(at: wallTime, elapsed)
                }
            }
        }
    }

    // MARK: - Parts

    /// The script begins with the year 2026.
    var wallTime: WallTime {
        let sinceBeginning = ScriptWorld.firstBootTime.duration(to: now)
        return WallTime(
            unixMilliseconds: SignedTransactions.now.unixMilliseconds + sinceBeginning.millisecondsRoundedUp)
    }

    private func shownSignIn() throws -> ShownSignIn {
        guard let state = try status()["signIn"]?["state"] else { throw UnreadableReply(reply: "status") }
        return state.shownSignIn(at: now, elapsed)
    }

    private func shownEntitlements() throws -> ShownEntitlements {
        guard let state = try status()["entitlements"]?["state"] else { throw UnreadableReply(reply: "status") }
        return state.shownEntitlements(at: wallTime, elapsed)
    }

    private func signIn(_ verb: [String], _ input: String, as person: Person) throws -> Outcome {
        let reply = try reply(to: verb, input, as: person)
        if let error = reply.error { return .refused(error.text("message") ?? "") }
        guard let state = reply["state"] else { throw UnreadableReply(reply: "\(reply.fields)") }
        return .signIn(state.shownSignIn(at: now, elapsed))
    }

    func said(_ text: String, by verb: [String], _ input: String = "", as person: Person) throws -> Outcome {
        let reply = try reply(to: verb, input, as: person)
        return reply.error.map { .refused($0.text("message") ?? "") } ?? .said(text)
    }

    /// The reply of a `gatectl` with this standard input.
    private func reply(to verb: [String], _ input: String, as person: Person) throws -> GatectlReply {
        let process = try ChildProcess(builtProgram("gatectl"), arguments(verb, as: person))
        process.write(input)
        process.closeInput()
        let result = try process.ended()
        guard let reply = result.output.split(separator: "\n").last.flatMap({ GatectlReply(String($0)) }),
            result.status == reply.exitStatus
        else { throw process.failure("exit status \(result.status)") }
        return reply
    }
}

extension DaemonDialogue.AskedChallenge {
    var isClosedByState: Bool {
        switch content {
        case .challenge, .whatsNew, .unrecognized: false
        case .signIn, .paywall, .form: true
        }
    }

    /// The lines that its program reads: an answer, or a name and a password.
    func lines(for text: String, authenticatorCode: String) -> String {
        switch content {
        case .challenge(.totp) where text == "code": authenticatorCode + "\n"
        case .challenge, .paywall, .form, .unrecognized: text + "\n"
        // Return is the first button.
        case .whatsNew: text == "more" ? "s\n" : "\n"
        case .signIn: text.split(separator: " ", maxSplits: 1).map { $0 + "\n" }.joined()
        }
    }
}
