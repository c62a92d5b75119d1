import GateModel

// Words about forms, and about what is new.

extension ScriptWords {
    mutating func form(_ verb: String) throws(ScriptError) -> ScriptCommand {
        switch verb {
        case "begin":
            let name = try formName(after: verb)
            let (label, person) = try textAndPerson(of: verb)
            return .beginForm(name, label: label, person)
        case "label":
            let name = try formName(after: verb)
            let (label, person) = try textAndPerson(of: verb)
            return .labelForm(name, label: label, person)
        case "drafts": return .drafts(try person(of: verb))
        case "bring": return .bringForm(try formName(after: verb), try person(of: verb))
        case "open": return .openForm(try formName(after: verb), try person(of: verb))
        case "save": return .saveForm(try formName(after: verb), try person(of: verb))
        case "discard": return .discardForm(try formName(after: verb), try person(of: verb))
        case "complete":
            let name = try formName(after: verb)
            return .completeForm(ScriptFormTarget(name, at: try revision()), try person(of: verb))
        case "set", "suggest":
            let target = try formTarget(of: verb)
            let path = try word(of: verb, "the path of a question")
            let (answers, person) = try answersAndPerson(of: verb)
            return .editForm(target, verb == "set" ? .set(path, answers) : .suggest(path, answers), person)
        case "announce":
            let target = try formTarget(of: verb)
            let path = try word(of: verb, "the path of a question")
            return .editForm(target, .announce(path, try duration(of: verb)), try person(of: verb))
        case "take-away":
            let target = try formTarget(of: verb)
            return .editForm(target, .suggest(try word(of: verb, "the path of a question"), []), try person(of: verb))
        case "suggestions":
            return .suggestions(try word(of: verb, "the name of a form"), try person(of: verb))
        case "clear":
            let target = try formTarget(of: verb)
            return .editForm(target, .set(try word(of: verb, "the path of a question"), []), try person(of: verb))
        case "remove":
            let target = try formTarget(of: verb)
            return .editForm(target, .remove(try word(of: verb, "the path of a group")), try person(of: verb))
        case "fill":
            let target = try formTarget(of: verb)
            return .editForm(target, .fill(from: try responseName(of: verb)), try person(of: verb))
        case "reset":
            let name = try formName(after: verb)
            return .editForm(ScriptFormTarget(name, at: try revision()), .reset, try person(of: verb))
        case "load":
            let name = try formName(after: verb)
            return .editForm(ScriptFormTarget(name), .load(try responseID(of: verb)), try person(of: verb))
        case "reuse":
            let name = try formName(after: verb)
            return .editForm(ScriptFormTarget(name), .load(nil), try person(of: verb))
        case "keep":
            let name = try formName(after: verb)
            let path = try word(of: verb, "the path of an item")
            let (label, person) = try textAndPerson(of: verb)
            return .savePart(name, path: path, label: label, person)
        case "take":
            let target = try formTarget(of: verb)
            let path = try word(of: verb, "the path of an item")
            let (words, person) = try wordsAndPerson(of: verb)
            let ids = words.compactMap { UInt64($0) }
            guard !ids.isEmpty, ids.count == words.count else { throw error("\"take\" needs the numbers of parts") }
            return .editForm(target, .take(path, ids), person)
        case "drop": return .removePart(try responseID(of: verb), try person(of: verb))
        case "parts": return .parts(try person(of: verb))
        case "read":
            let name = try word(of: verb, "the name of a form")
            let path = rest.first == "as" ? nil : try word(of: verb, "a path")
            return .readForm(name, path: path, try person(of: verb))
        case "missing": return .missing(in: try word(of: verb, "the name of a form"), try person(of: verb))
        case "responses": return .responses(try person(of: verb))
        case "response": return .response(try responseID(of: verb), try person(of: verb))
        case "withdraw": return .withdrawResponse(try responseID(of: verb), try person(of: verb))
        case "hand-in":
            let id = try challenge(of: verb)
            return .handIn(presentation: id, from: try responseName(of: verb))
        default: return try newsOrReload(verb)
        }
    }

    private mutating func newsOrReload(_ verb: String) throws(ScriptError) -> ScriptCommand {
        switch verb {
        case "whats-new": return .showNews(try news(verb), try person(of: verb))
        case "seen": return .acknowledgeNews(try news(verb), try person(of: verb))
        case "forget":
            let app = rest.first == "as" ? nil : try word(of: verb, "an app")
            return .forgetNews(app: app, try person(of: verb))
        case "news": return .listNews(try person(of: verb))
        case "reload": return .reload(world, try person(of: verb))
        case "gate":
            let name = try word(of: verb, "a gated action")
            let (words, person) = try wordsAndPerson(of: verb)
            return .setGate(name, requires: words.joined(separator: " "), person)
        case "allowance", "schedule":
            let name = try word(of: verb, "a name")
            let (words, person) = try wordsAndPerson(of: verb)
            let kind = verb == "schedule" ? TimeRule.Kind.schedule : .allowance
            return .setTimeRule(kind, name, words == ["none"] ? [] : words, person)
        case "ungate": return .setGate(try word(of: verb, "a gated action"), requires: nil, try person(of: verb))
        default:
            throw error(
                "nothing is called \"\(verb)\"; there are: toggle, answer, dismiss, hang-up, cancel, lock, extend, "
                    + "override, mode, advance, sleep, set-clock, zone, restart, reboot, audit, watch, check, authorize, ask, await, asks, allow, refuse, unask, more-time, use, hear, stop, usage, told, result, present, "
                    + "screen, leave, press, redeem, grants, revoke, passcode, authenticator, login, logout, register, "
                    + "password, reset, person, people, remove, who, entitlements, give, take-back, buy, refund, unpaid, "
                    + "offer, put-away, open, bring, begin, label, drafts, set, clear, suggest, announce, take-away, suggestions, fill, load, reuse, keep, take, drop, parts, read, missing, save, complete, discard, "
                    + "responses, response, withdraw, hand-in, whats-new, seen, forget, news, reload, gate, ungate, allowance, schedule"
            )
        }
    }

    /// `form NAME`
    mutating func formName(after verb: String) throws(ScriptError) -> String {
        guard rest.first == "form" else { throw error("\"\(verb)\" needs \"form\" and the name of one") }
        rest.removeFirst()
        return try word(of: verb, "the name of a form")
    }

    /// `NAME [at REVISION]`
    private mutating func formTarget(of verb: String) throws(ScriptError) -> ScriptFormTarget {
        let name = try word(of: verb, "the name of a form")
        return ScriptFormTarget(name, at: try revision())
    }

    /// `at REVISION`; `nil`: nothing is said.
    private mutating func revision() throws(ScriptError) -> UInt64? {
        guard rest.first == "at" else { return nil }
        rest.removeFirst()
        guard let word = rest.first, let revision = UInt64(word) else { throw error("\"at\" needs a revision") }
        rest.removeFirst()
        return revision
    }

    /// `ANSWER [| ANSWER …] as NAME`
    private mutating func answersAndPerson(of verb: String) throws(ScriptError) -> ([String], Person) {
        let (words, person) = try wordsAndPerson(of: verb)
        return (try answers(of: verb, words), person)
    }

    /// `[TEXT] as NAME`
    private mutating func textAndPerson(of verb: String) throws(ScriptError) -> (String, Person) {
        let (words, person) = try wordsAndPerson(of: verb)
        return (words.joined(separator: " "), person)
    }

    private mutating func wordsAndPerson(of verb: String) throws(ScriptError) -> ([String], Person) {
        guard rest.count >= 2, rest[rest.count - 2] == "as" else {
            throw error("\"\(verb)\" ends with \"as\" and a name")
        }
        let person = try self.person(named: rest[rest.count - 1])
        defer { rest = [] }
        return (rest.dropLast(2).map { String($0) }, person)
    }

    private func answers(of verb: String, _ words: some Sequence<String>) throws(ScriptError) -> [String] {
        let answers = words.split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.joined(separator: " ") }
        guard !answers.contains("") else {
            throw error("\"\(verb)\" needs an answer; \"clear\" takes one away")
        }
        return answers
    }

    /// `from NAME`
    private mutating func responseName(of verb: String) throws(ScriptError) -> String {
        guard rest.first == "from" else { throw error("\"\(verb)\" needs \"from\" and the name of a response") }
        rest.removeFirst()
        let name = try word(of: "from", "the name of a response")
        guard world.responses[name] != nil else {
            throw error("there is no response \"\(name)\": write it under a line \"response \(name)\"")
        }
        return name
    }

    private mutating func responseID(of verb: String) throws(ScriptError) -> UInt64 {
        guard let word = rest.first, let id = UInt64(word) else {
            throw error("\"\(verb)\" needs the number of a response")
        }
        rest.removeFirst()
        return id
    }

    /// `APP VERSION`
    mutating func news(_ verb: String) throws(ScriptError) -> ScriptNews {
        ScriptNews(app: try word(of: verb, "an app"), version: try word(of: verb, "a version"))
    }
}
