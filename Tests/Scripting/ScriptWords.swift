import GateModel

/// One command line of a script, read word by word from the left.
struct ScriptWords {
    var rest: [String]
    let line: String
    let number: Int
    let world: ScriptWorld

    init(_ line: String, at number: Int, in world: ScriptWorld) {
        self.line = line
        self.number = number
        self.world = world
        rest = line.split(separator: " ").map(String.init)
    }

    /// The whole line as a command.
    mutating func command() throws(ScriptError) -> ScriptCommand {
        let verb = rest.removeFirst()
        let command = try command(of: verb)
        guard rest.isEmpty else {
            throw error("\"\(rest.joined(separator: " "))\" is too much after \"\(verb)\"")
        }
        return command
    }

    private mutating func command(of verb: String) throws(ScriptError) -> ScriptCommand {
        if let command = try age(verb) { return command }
        switch verb {
        case "toggle": return .toggle(try person(of: verb))
        case "cancel": return .cancel(try person(of: verb))
        case "lock": return .lock(try person(of: verb))
        case "watch":
            switch rest.first {
            case "sign-in":
                rest.removeFirst()
                return .watchSignIn(try person(of: verb))
            case "entitlements":
                rest.removeFirst()
                return .watchEntitlements(try person(of: verb))
            case "forms":
                rest.removeFirst()
                return .watchForms(try person(of: verb))
            default: return .watch(try person(of: verb))
            }
        case "answer": return try answer()
        case "dismiss": return .dismiss(challenge: try challenge(of: verb))
        case "hang-up": return .hangUp(challenge: try challenge(of: verb))
        case "extend":
            let duration = rest.first == "as" ? nil : try duration(of: verb)
            return .extend(duration, try person(of: verb))
        case "override": return try override()
        case "mode": return .mode
        case "advance": return .advance(try duration(of: verb))
        case "sleep": return .turn(.sleep(try duration(of: verb)))
        case "set-clock": return .turn(.set(by: try duration(of: verb, from: "back", to: "on")))
        case "zone":
            let duration = try duration(of: verb, from: "west", to: "east")
            return .turn(.zone(minutesEastOfUTC: Int(duration.components.seconds / 60)))
        case "restart": return .restart
        case "reboot": return .reboot
        case "audit": return .audit
        case "check": return try authorize(verb) { .check($0, $1) }
        case "authorize": return try authorize(verb) { .authorize($0, $1) }
        case "redeem": return try authorize(verb) { .redeem($0, $1) }
        case "await":
            return try authorize(verb) { request, person in
                var request = request
                request.mayWait = true
                return .ask(.authorize(request), person)
            }
        case "asks": return .asks(try person(of: verb))
        case "allow": return .answerAsk(try challenge(of: verb), .yes(try choice()), try person(of: verb))
        case "refuse": return .answerAsk(try challenge(of: verb), no(), try person(of: verb))
        case "more-time":
            let gatedAction = try word(of: verb, "a gated action")
            return .askMoreTime(gatedAction, try choice(), try person(of: verb))
        case "use": return .use(try word(of: verb, "a gated action"), try person(of: verb))
        case "hear": return .hearUse(try word(of: verb, "a gated action"), try person(of: verb))
        case "stop": return .stopUsing(try word(of: verb, "a gated action"), try person(of: verb))
        case "usage": return .usage(try person(of: verb))
        case "told": return .told(try use())
        case "unask": return .withdrawAsk(try challenge(of: verb), try person(of: verb))
        case "ask":
            switch rest.first {
            case "toggle":
                rest.removeFirst()
                return .ask(.toggle, try person(of: verb))
            case "paywall":
                rest.removeFirst()
                return try paywall()
            case "form":
                return .ask(.form(try formName(after: verb)), try person(of: verb))
            case "whats-new":
                rest.removeFirst()
                return .ask(.news(try news(verb)), try person(of: verb))
            default: return try authorize(verb) { .ask(.authorize($0), $1) }
            }
        case "result": return .result(try person(of: verb))
        case "present": return .present(try person(of: verb))
        case "screen": return .screen(try person(of: verb))
        case "leave": return .leave(try person(of: verb))
        case "press": return .press(challenge: try challenge(of: verb))
        case "grants": return .grants(try person(of: verb))
        case "revoke": return .revoke(try word(of: verb, "the name of a gated action"), try person(of: verb))
        case "passcode": return .passcode(try word(of: verb, "what it is to be"))
        case "authenticator": return .authenticator
        default: return try signInOrPurchase(verb)
        }
    }

    /// People, and what is paid for.
    private mutating func signInOrPurchase(_ verb: String) throws(ScriptError) -> ScriptCommand {
        switch verb {
        case "login":
            return .logIn(
                try word(of: verb, "a name"), password: try word(of: verb, "a password"), try person(of: verb))
        case "logout": return .logOut(try person(of: verb))
        case "register": return try register()
        case "password":
            return .changePassword(
                try word(of: verb, "a name"), from: try word(of: verb, "the old password"),
                to: try word(of: verb, "the new one"), try person(of: verb))
        case "reset" where rest.first != "form":
            return .setPassword(
                try word(of: verb, "a name"), to: try word(of: verb, "the new password"), try person(of: verb))
        case "person": return try listedPerson()
        case "people": return .people(try person(of: verb))
        case "remove" where rest.count < 2 || rest[1] == "as":
            return .removePerson(try word(of: verb, "a name"), try person(of: verb))
        case "confirm":
            return .confirm(
                try word(of: verb, "a name"), password: try word(of: verb, "the new password"), try person(of: verb))
        case "who": return .who
        case "entitlements": return .entitlements
        case "give":
            var gift = ScriptGift(entitlement: try word(of: verb, "an entitlement"), holder: .device, duration: nil)
            gift.holder = try option("to") ?? .device
            gift.duration = try option("for")
            return .give(gift, try person(of: verb))
        case "take-back":
            let word = try word(of: verb, "a provider")
            guard let provider = ClaimProvider(rawValue: word) else {
                throw error("a provider is storekit, revenuecat or manual, not \"\(word)\"")
            }
            return .takeBack(Claim.ID(provider, try self.word(of: verb, "the claim's name")), try person(of: verb))
        case "buy":
            let product = try word(of: verb, "a product")
            let duration: Duration? = try option("for")
            let holder: Claim.Holder? = try option("of")
            return .submit(
                .bought(
                    transaction: try option("transaction") ?? "1", product: product, for: duration, holder: holder),
                try person(of: verb))
        case "refund":
            return .submit(.refunded(transaction: try word(of: verb, "a transaction")), try person(of: verb))
        case "unpaid":
            let transaction = try word(of: verb, "a transaction")
            return .submit(.unpaid(transaction: transaction, grace: try option("grace")), try person(of: verb))
        case "offer": return try offer()
        case "put-away": return .withdraw(presentation: try challenge(of: verb), try person(of: verb))
        default: return try form(verb)
        }
    }

    /// `offer ENTITLEMENT PRODUCT [price TEXT] [lasting PERIOD] [at URL] as NAME`; `nothing` as the product: nothing at all.
    private mutating func offer() throws(ScriptError) -> ScriptCommand {
        let entitlement = try word(of: "offer", "an entitlement")
        var offer = Offer(product: try word(of: "offer", "a product"))
        offer.price = try option("price") ?? ""
        if let text: String = try option("lasting") {
            guard let period = Offer.Period(iso8601: text) else { throw error("\"\(text)\" is no period: write P1M") }
            offer.period = period
        }
        offer.url = try option("at")
        let offers = offer.product == "nothing" ? [] : [offer]
        return .offer(offers, entitlement: entitlement, try person(of: "offer"))
    }

    /// `register NAME PASSWORD [born DATE] as NAME`
    private mutating func register() throws(ScriptError) -> ScriptCommand {
        let name = try word(of: "register", "a name")
        let password = try word(of: "register", "a password")
        var kind = GatePerson.Kind.grownUp
        if let text: String = try option("born") {
            guard let born = CivilDate(text) else { throw error("\"\(text)\" is no date: write YYYY-MM-DD") }
            kind = .child(born: born)
        }
        return .register(GatePerson(name: name, kind: kind), password: password, try person(of: "register"))
    }

    /// `person NAME grown-up|child|shared [born DATE] [user NAME] as NAME`, where the user is somebody of the script.
    private mutating func listedPerson() throws(ScriptError) -> ScriptCommand {
        let name = try word(of: "person", "a name")
        let word = try word(of: "person", "grown-up, child or shared")
        let born: String? = try option("born")
        let userName: String? = try option("user")
        let kind: GatePerson.Kind
        switch word {
        case "grown-up": kind = .grownUp
        case "shared": kind = .shared
        case "child": kind = .child(born: born.flatMap { CivilDate($0) })
        default: throw error("a person is grown-up, child or shared, not \"\(word)\"")
        }
        var unixUser: GatePerson.UnixUser?
        if let userName {
            let uid = try person(named: userName).uid
            unixUser = GatePerson.UnixUser(name: "user\(uid)", uid: uid)
        }
        return .setPerson(GatePerson(name: name, kind: kind, user: unixUser), try person(of: "person"))
    }

    /// `ask paywall [ENTITLEMENT] [through PROVIDER] as NAME`
    private mutating func paywall() throws(ScriptError) -> ScriptCommand {
        let isNamed = rest.first != "as" && rest.first != "through"
        var request = PaywallRequest(entitlement: isNamed ? try word(of: "paywall", "an entitlement") : nil)
        if let name: String = try option("through") {
            guard let provider = ClaimProvider(rawValue: name) else {
                throw error("a paywall is storekit's or revenuecat's, not \"\(name)\"")
            }
            request.provider = provider
        }
        return .ask(.paywall(request), try person(of: "paywall"))
    }

    private mutating func option(_ name: String) throws(ScriptError) -> String? {
        guard rest.first == name else { return nil }
        rest.removeFirst()
        return try word(of: name, "something after it")
    }

    private mutating func option(_ name: String) throws(ScriptError) -> Duration? {
        guard rest.first == name else { return nil }
        rest.removeFirst()
        return try duration(of: name)
    }

    private mutating func option(_ name: String) throws(ScriptError) -> Claim.Holder? {
        let name: String? = try option(name)
        return name.map { $0 == "device" ? .device : .account($0) }
    }

    /// `VERB ACTION as NAME [on-behalf-of NAME] [by NAME] [at-once] [for DETAILS]`; `on-behalf-of`: the process that a broker asks for;
    /// `by`: who takes the grant; `at-once`: the program can't wait for a person.
    private mutating func authorize(
        _ verb: String, _ make: (AuthorizationRequest, Person) -> ScriptCommand
    ) throws(ScriptError) -> ScriptCommand {
        var request = AuthorizationRequest(gatedAction: try word(of: verb, "the name of a gated action"), details: "")
        let person = try person(of: verb)
        if rest.first == "on-behalf-of", rest.count >= 2 {
            request.subject = try self.person(named: rest[1]).process
            rest.removeFirst(2)
        }
        if rest.first == "by", rest.count >= 2 {
            request.redeemer = try self.person(named: rest[1]).uid
            rest.removeFirst(2)
        }
        if rest.first == "at-once" {
            request.atOnce = true
            rest.removeFirst()
        }
        if rest.first == "for" {
            request.details = rest.dropFirst().joined(separator: " ")
            rest = []
        }
        return make(request, person)
    }

    mutating func word(of verb: String, _ what: String) throws(ScriptError) -> String {
        guard !rest.isEmpty else { throw error("\"\(verb)\" needs \(what)") }
        return rest.removeFirst()
    }

    /// `told DURATION of ALLOWANCE on DATE by DEVICE as NAME`
    private mutating func use() throws(ScriptError) -> ScriptUse {
        let used = try duration(of: "told")
        func following(_ preposition: String) throws(ScriptError) -> String {
            guard rest.first == preposition else { throw error("\"told\" needs \"\(preposition)\"") }
            rest.removeFirst()
            return try word(of: "told", "a word after \"\(preposition)\"")
        }
        let allowance = try following("of")
        guard let day = CivilDate(try following("on")) else {
            throw error("\"told\" needs a date such as 2026-01-01")
        }
        let device = try following("by")
        return ScriptUse(
            used: used, allowance: allowance, day: day, device: device, person: try person(of: "told"))
    }

    /// `answer N TEXT [as NAME]`; the text may stand in quotation marks, for spaces around it.
    private mutating func answer() throws(ScriptError) -> ScriptCommand {
        let id = try challenge(of: "answer")
        var thief: Person?
        if rest.count > 2, rest[rest.count - 2] == "as" {
            thief = try self.person(named: rest[rest.count - 1])
            rest.removeLast(2)
        }
        guard !rest.isEmpty else { throw error("\"answer\" needs the challenge's number and the answer") }
        defer { rest = [] }
        let quoted = line.split(separator: "\"", omittingEmptySubsequences: false)
        let text = quoted.count == 3 ? String(quoted[1]) : rest.joined(separator: " ")
        return .answer(challenge: id, text, by: thief)
    }

    /// `override MODE [for DURATION] [as NAME] because REASON`; without a name it is the first administrator.
    private mutating func override() throws(ScriptError) -> ScriptCommand {
        guard let word = rest.first, let mode = Mode(rawValue: word) else {
            throw error("\"override\" needs a mode: child or parent")
        }
        rest.removeFirst()
        var lease: Duration?
        if rest.first == "for" {
            rest.removeFirst()
            lease = try duration(of: "for")
        }
        let person = rest.first == "as" ? try self.person(of: "override") : try administrator()
        guard rest.first == "because", rest.count > 1 else { throw error("\"override\" ends with \"because\" and why") }
        let reason = rest.dropFirst().joined(separator: " ")
        rest = []
        return .override(mode, lease, reason: reason, person)
    }

    mutating func person(of verb: String) throws(ScriptError) -> Person {
        guard rest.count >= 2, rest.first == "as" else { throw error("\"\(verb)\" needs \"as\" and a name") }
        defer { rest.removeFirst(2) }
        return try person(named: rest[1])
    }

    func person(named name: String) throws(ScriptError) -> Person {
        guard let person = world.people.first(where: { $0.name == name }) else {
            let known = world.people.map(\.name).joined(separator: ", ")
            throw error("nobody is called \"\(name)\"; there are: \(known)")
        }
        return person
    }

    private func administrator() throws(ScriptError) -> Person {
        guard let administrator = world.administrator else { throw error("nobody in this world is an administrator") }
        return administrator
    }

    mutating func challenge(of verb: String) throws(ScriptError) -> UInt64 {
        guard let word = rest.first, let id = UInt64(word) else {
            throw error("\"\(verb)\" needs the number of a challenge")
        }
        rest.removeFirst()
        return id
    }

    /// The choice in `allow N [CHOICE] as NAME`.
    private mutating func choice() throws(ScriptError) -> AskChoice? {
        guard rest.first != "as" else { return nil }
        guard let choice = AskChoice(text: try word(of: "allow", "a choice, or \"as\" and a name")) else {
            throw error("a choice is once, today, always, this-site or a duration such as 30m")
        }
        return choice
    }

    /// The kind of no in `refuse N [until-tomorrow] as NAME`.
    private mutating func no() -> AskAnswer {
        guard rest.first == "until-tomorrow" else { return .no }
        rest.removeFirst()
        return .notUntilTomorrow
    }

    mutating func duration(of verb: String) throws(ScriptError) -> Duration {
        guard let word = rest.first, let duration = Duration(shortText: word) else {
            throw error("\"\(verb)\" needs a duration such as 90s, 15m or 1h30m")
        }
        rest.removeFirst()
        return duration
    }

    /// A duration after one of two words, as in "back 2h". It is negative after the first of them.
    private mutating func duration(
        of verb: String, from back: String, to forth: String
    ) throws(ScriptError) -> Duration {
        let direction = try word(of: verb, "\"\(back)\" or \"\(forth)\"")
        guard [back, forth].contains(direction) else { throw error("\"\(verb)\" needs \"\(back)\" or \"\(forth)\"") }
        let duration = try duration(of: verb)
        return direction == back ? .zero - duration : duration
    }

    func error(_ message: String) -> ScriptError {
        ScriptError(line: number, message: message)
    }
}
