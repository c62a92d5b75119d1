package import GateCore
package import GateModel

/// What children do with questions that may wait, and grown-ups with their asks, by chance: for random walks and for
/// simulations. All of them have programs that can wait, and none of the children has a screen.
package struct RandomAsks {
    package var children: [Peer]
    /// They may answer asks, and those with the role of a presenter show questions.
    package var grownUps: [Peer]
    /// What was shown to whom, the newest last.
    private var questions: [(peer: Peer, cookie: PresentationCookie)] = []
    private var thingCount = 0
    /// All words that were asked for.
    package private(set) var words: Set<String> = []

    /// Whether the grown-ups also say "not until tomorrow". Where time passes slowly, hardly anything is asked after that.
    private let isTomorrowKnown: Bool

    package init(children: [Peer], grownUps: [Peer], isTomorrowKnown: Bool = false) {
        (self.children, self.grownUps, self.isTomorrowKnown) = (children, grownUps, isTomorrowKnown)
    }

    /// A page may be asked for three days long, and allowed for as much as there is; a print for an hour, and allowed
    /// for once or for the day.
    package static let configuration = configuration(pageTitle: "Open a page")

    /// The same with another title, so that asks for pages are asks under another policy.
    package static let otherConfiguration = configuration(pageTitle: "Open any page")

    /// What a grown-up can choose in answer to an ask for a page.
    package static let choices: [AskChoice] = [.once, .today, .always, .thisSite, .time(.seconds(1800))]

    private static func configuration(pageTitle: String) -> Configuration {
        func question(mayWait: Duration, choices: [AskChoice]? = nil) -> Requirement {
            let question = ChallengeSpecification(.confirm, answeredBy: .grownUp, mayWait: mayWait, choices: choices)
            return .challenge(ChallengeRule(question))
        }
        var configuration = Configuration.builtIn
        configuration.gatedActions = [
            "page.open": GatedAction(
                title: LocalizedText(pageTitle),
                requirement: question(mayWait: .seconds(3 * 24 * 3600), choices: choices)),
            "page.print": GatedAction(title: "Print a page", requirement: question(mayWait: .seconds(3600))),
        ]
        return configuration
    }

    /// The next command, and its peer.
    package mutating func command(
        in state: GateState, using random: inout some RandomNumberGenerator
    ) -> (command: Command, peer: Peer) {
        let child = children.randomElement(using: &random) ?? children[0]
        let grownUp = grownUps.randomElement(using: &random) ?? grownUps[0]
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: return (.authorize(request(in: state, using: &random), presenting: .elsewhere), child)
        case 8..<12:
            // Now and then a child tries.
            let peer = Int.random(in: 0..<8, using: &random) == 0 ? child : grownUp
            let number = number(in: state, using: &random)
            if isTomorrowKnown, Int.random(in: 0..<24, using: &random) == 0 {
                return (.answerAsk(number, .notUntilTomorrow), peer)
            }
            return (.answerAsk(number, answer(using: &random)), peer)
        case 12..<14:
            let peer = Int.random(in: 0..<4, using: &random) == 0 ? grownUp : child
            return (.withdrawAsk(number(in: state, using: &random)), peer)
        case 14: return (.register(Self.abilities), grownUp)
        case 15: return (.unregister, grownUp)
        case 16: return (.revoke(uid: nil, gatedAction: nil), child)
        default: return answer(of: grownUp, in: state, using: &random)
        }
    }

    /// Remembers the questions that a peer was given to show.
    package mutating func learned(_ reply: Reply, _ peer: Peer) {
        guard case .presentation(let presentation) = reply else { return }
        questions = questions.suffix(8) + [(peer, presentation.cookie)]
    }

    /// The daemon has died, and with it every question.
    package mutating func daemonDied() {
        questions = []
    }

    private static let abilities = PresenterAbilities(
        kinds: Set(Presentation.Kind.allCases), styles: Set(Presentation.Style.allCases))

    /// A no, which may take a yes back, or a yes. Its choice need not be one that is offered.
    private func answer(using random: inout some RandomNumberGenerator) -> AskAnswer {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4: .no
        case 4: .yes()
        case 5: .yes(.time(.seconds(3600)))
        default: .yes(Self.choices.randomElement(using: &random))
        }
    }

    /// Mostly what was asked for before, in whatever state that is; else something new. Many things are links, and some
    /// of them lead to the same site.
    private mutating func request(
        in state: GateState, using random: inout some RandomNumberGenerator
    ) -> AuthorizationRequest {
        let isNew = thingCount == 0 || Int.random(in: 0..<3, using: &random) == 0
        if isNew { thingCount += 1 }
        let thing = isNew ? thingCount : Int.random(in: max(1, thingCount - 8)...thingCount, using: &random)
        // A name of one thing must be no part of another's.
        let details = thing.isMultiple(of: 3) ? "thing \(thing)." : "https://site\(thing % 2).org/\(thing)."
        words.insert(details)
        var request = AuthorizationRequest(
            gatedAction: thing.isMultiple(of: 4) ? "page.print" : "page.open", details: details)
        request.mayWait = Int.random(in: 0..<8, using: &random) > 0
        return request
    }

    /// Mostly the number of an ask that is there; else any that was given, or comes next.
    private func number(in state: GateState, using random: inout some RandomNumberGenerator) -> UInt64 {
        let unfinished = state.records.asks.inOrder.map(\.number).suffix(8)
        if Int.random(in: 0..<6, using: &random) > 0, let number = unfinished.randomElement(using: &random) {
            return number
        }
        return UInt64.random(in: 0...state.records.nextPresentation, using: &random)
    }

    /// What a presenter does with what is offered to it, or on its screen.
    private func answer(
        of presenter: Peer, in state: GateState, using random: inout some RandomNumberGenerator
    ) -> (Command, Peer) {
        if let offered = state.presentation(forPresenter: presenter.connection), Bool.random(using: &random) {
            return (.claim(presentation: offered.id), presenter)
        }
        guard let (peer, cookie) = questions.suffix(3).randomElement(using: &random) else {
            return (.register(Self.abilities), presenter)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return (.dismiss(cookie), peer)
        case 1: return (.complete(cookie, .text("no")), peer)
        default: return (.complete(cookie, .text("yes")), peer)
        }
    }
}
