import CommandSupport
import GateCore
public import GateModel
import GatePolicy

// Gated actions, other people's screens, and secrets.

extension CoreDialogue {
    public mutating func setGate(_ name: String, requires: String?, as person: Person) -> Outcome {
        let before = configuration.gatedActions[name]
        var choices = state.records.gateChoices
        do throws(PolicyError) {
            let requirement: Requirement? =
                if let requires { try PolicyReader.requirement(requires) } else { nil }
            choices[name] = requirement.map {
                GatedAction(title: before?.titles ?? LocalizedText(name), requirement: $0).notation
            }
            let new = try world.readConfiguration(choices: choices)
            func text(_ action: GatedAction?) -> String { action?.requirement.text ?? "denied" }
            let said = "\(name): \(text(new.gatedActions[name])); before: \(text(before))"
            let change = GateChange(
                name: name, notation: choices[name], configuration: new, detail: said)
            switch apply(.changeGate(change), as: newPeer(person)) {
            case .failure(let error): return .refused(error.message)
            case .success: break
            }
            configuration = new
            return .said(said)
        } catch {
            return .refused(error.problems.map { "\($0)" }.joined(separator: "\n"))
        }
    }

    public mutating func setTimeRule(
        _ kind: TimeRule.Kind, _ name: String, _ times: [String], as person: Person
    ) -> Outcome {
        let choice = TimeRule.choiceName(kind, name)
        var choices = state.records.gateChoices
        let before = choices[choice]
        // As `gatectl` makes it of the words.
        let notation = times.map { word in
            let sides = word.split(separator: "=")
            return "\(sides[0]): \(sides[1])"
        }
        do throws(PolicyError) {
            choices[choice] =
                times.isEmpty ? nil : try PolicyReader.timeRule(kind, "{\(notation.joined(separator: ", "))}")
            let new = try world.readConfiguration(choices: choices)
            let said = "\(choice): \(choices[choice] ?? "none"); before: \(before ?? "none")"
            let change = GateChange(name: choice, notation: choices[choice], configuration: new, detail: said)
            if case .failure(let error) = apply(.changeGate(change), as: newPeer(person)) {
                return .refused(error.message)
            }
            configuration = new
            return .said(said)
        } catch {
            return .refused(error.problems.map { "\($0)" }.joined(separator: "\n"))
        }
    }

    public mutating func check(_ request: AuthorizationRequest, as person: Person) -> Outcome {
        .outlook(state.outlook(of: request.gatedAction, for: newPeer(person, for: request.subject), at: now).outcome)
    }

    public mutating func authorize(_ request: AuthorizationRequest, as person: Person) -> Outcome {
        redeemers[request.gatedAction] = request.redeemer
        return outcome(of: .authorize(request, presenting: .here), as: person, for: request.subject)
    }

    public mutating func ask(_ request: ScriptRequest, as person: Person) throws -> Outcome {
        switch request {
        case .toggle:
            return outcome(of: .toggle(presenting: .elsewhere), as: person)
        case .authorize(let request):
            redeemers[request.gatedAction] = request.redeemer
            return outcome(of: .authorize(request, presenting: .elsewhere), as: person, for: request.subject)
        case .paywall(let request):
            return outcome(of: .requestPaywall(request, presenting: .elsewhere), as: person)
        case .form(let name):
            return outcome(of: .requestForm(name: name), as: person)
        case .news(let news):
            return try show(news, presenting: .elsewhere, to: person)
        }
    }

    public mutating func result(of person: Person) throws -> Outcome {
        guard let wait = waits[person] else { throw NothingAsked(name: person.name) }
        switch results[wait] {
        case .granted(let grant): return .granted(grant.gatedAction, to: person.name, redeemer: nil)
        case .refused(let error): return .refused(error)
        case .done: return .mode(shownMode)
        case .entitled(let outcome): return .paid(outcome)
        case .responded(let id): return .said("response \(id)")
        case .whatsNew(let outcome): return .news(outcome)
        case nil: return .waits(person.name)
        case .presentation(let next):
            results[wait] = nil
            return shown(next, to: person, waiters[wait] ?? newPeer(person))
        case .waiting, .claimed, .form, .keptPart, .redeemed, .count, .recovered, .challenge, .obeyed, .sending,
            .answering:
            throw NothingAsked(name: person.name)
        }
    }

    public mutating func redeem(_ request: AuthorizationRequest, as person: Person) throws -> Outcome {
        guard let proof = proofs[request.gatedAction] else { throw NothingAsked(name: person.name) }
        return outcome(
            of: .redeem(proof, gatedAction: request.gatedAction, details: request.details), as: person)
    }

    public mutating func grants(as person: Person) -> Outcome {
        let uid = person.roles.contains(.administrator) ? nil : person.uid
        return .kept(
            state.keptGrants(of: uid).filter { $0.key.ask == nil }.map { key, grant in
                KeptLine(
                    who: world.name(of: key.uid), gatedAction: key.gatedAction,
                    until: elapsed + now.duration(to: grant.deadline))
            })
    }

    public mutating func revoke(_ gatedAction: String, as person: Person) -> Outcome {
        outcome(of: .revoke(uid: nil, gatedAction: gatedAction), as: person)
    }

    public mutating func asks(as person: Person) -> Outcome {
        .said(AskLine.text(state.asks(visibleTo: newPeer(person)).map { askLine($0) }))
    }

    private func askLine(_ ask: Ask) -> AskLine {
        AskLine(
            number: ask.id, who: world.name(of: ask.uid), title: ask.title, details: ask.details,
            state: AskLine.state(
                ask.state.rawValue, ask.isUntilTomorrow ? "until tomorrow" : ask.choice?.text))
    }

    public mutating func askMoreTime(_ gatedAction: String, _ wish: AskChoice?, as person: Person) -> Outcome {
        let peer = newPeer(person)
        if case .failure(let error) = apply(.askMoreTime(gatedAction: gatedAction, wish: wish), as: peer) {
            return .refused(error.message)
        }
        return .said(AskLine.text(state.askForMoreTime(before: gatedAction, of: peer).map { [askLine($0)] } ?? []))
    }

    public mutating func answerAsk(_ number: UInt64, _ answer: AskAnswer, as person: Person) -> Outcome {
        switch apply(.answerAsk(number, answer), as: newPeer(person)) {
        case .success: .said(AskLine.answered(answer))
        case .failure(let error): .refused(error.message)
        }
    }

    public mutating func withdrawAsk(_ number: UInt64, as person: Person) -> Outcome {
        switch apply(.withdrawAsk(number), as: newPeer(person)) {
        case .success: .said("taken back")
        case .failure(let error): .refused(error.message)
        }
    }

    // MARK: - Screens

    public mutating func present(as person: Person) -> Outcome {
        let peer = newPeer(person)
        // All kinds that a screen can show.
        let abilities = PresenterAbilities(
            kinds: Set(Presentation.Kind.allCases), styles: Set(Presentation.Style.allCases))
        if case .failure(let error) = apply(.register(abilities), as: peer) { return .refused(error.message) }
        presenters.append((person, peer))
        claimWhatIsOffered()
        return .said("\(person.name)'s screen is on")
    }

    public mutating func screen(of person: Person) throws -> Outcome {
        guard let presenter = presenters.first(where: { $0.person == person }) else {
            throw NothingAsked(name: person.name)
        }
        guard let summary = state.presentation(forPresenter: presenter.peer.connection),
            let presentation = asked[summary.id]?.presentation
        else { return .blank }
        return .shown(
            id: summary.id, by: world.name(of: summary.asked.uid, through: summary.asked.broker?.uid),
            presentation.summary, presentation.content)
    }

    /// Anyone who has a screen takes what is on offer at once.
    mutating func claimWhatIsOffered() {
        for presenter in presenters {
            guard let offered = offered(to: presenter.peer) else { continue }
            let able = presenters.filter { self.offered(to: $0.peer) == offered }
            if able.count > 1 {
                contested = ContestedPresentation(id: offered, presenters: able.map(\.person.name))
            }
            claim(offered, as: presenter.person, presenter.peer)
        }
    }

    private func offered(to peer: Peer) -> UInt64? {
        state.presentation(forPresenter: peer.connection).flatMap { $0.stage == .offered ? $0.id : nil }
    }

    private mutating func claim(_ id: UInt64, as person: Person, _ peer: Peer) {
        guard case .success(.presentation(let presentation)) = apply(.claim(presentation: id), as: peer) else { return }
        asked[id] = AskedChallenge(presentation: presentation, person: person, isOnScreen: true, connection: peer)
        if case .form(let invitation) = presentation.content {
            // The form is opened before it can be shown, because its contents come from the draft.
            apply(.openForm(FormTarget(name: invitation.name, cookie: presentation.cookie)), as: peer)
        }
        apply(.report(presentation.cookie, .shown), as: peer)
    }

    public func settle() throws {
        if let contested { throw contested }
    }

    public mutating func leave(_ person: Person) throws -> Outcome {
        guard let index = presenters.firstIndex(where: { $0.person == person }) else {
            throw NothingAsked(name: person.name)
        }
        let peer = presenters.remove(at: index).peer
        apply(.peerDisconnected, as: peer)
        return .said("\(person.name)'s screen is off")
    }

    public mutating func press(challenge id: UInt64) throws -> Outcome {
        let question = try question(id)
        guard let peer = question.connection else { throw UnknownChallenge(id: id, message: "it is closed") }
        if case .failure(let error) = apply(.report(question.presentation.cookie, .pressed), as: peer) {
            return .refused(error.message)
        }
        return .said("pressed")
    }

    // MARK: - Secrets

    public mutating func setPasscode(_ text: String) throws -> Outcome {
        let hash: String
        do {
            hash = try ScriptedSecrets.hash(of: text)
        } catch {
            return .refused("\(error)")
        }
        return try setUp(.setPasscode(hash: hash), "passcode set")
    }

    public mutating func setAuthenticator() throws -> Outcome {
        let step = ScriptedSecrets.step(at: wallTime)
        return try setUp(.setTOTP(key: ScriptedSecrets.key, usedStep: step), "authenticator set up")
    }

    private mutating func setUp(_ command: Command, _ said: String) throws -> Outcome {
        guard let administrator = world.administrator else { throw NothingAsked(name: "administrator") }
        switch apply(command, as: newPeer(administrator)) {
        case .success: return .said(said)
        case .failure(let error): return .refused(error.message)
        }
    }
}
