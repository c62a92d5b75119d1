import CommandSupport
import GateModel
import Testing

@testable import GateCore

/// Ben asks for something, and one question of some kind is on a screen.
struct AttackScene {
    enum Route: CaseIterable {
        /// Ben's own program shows the question.
        case requester
        /// Olga's screen shows it, and Ben waits.
        case presenter
    }

    let kind: Challenge.Kind
    let route: Route
    var device: Device
    private(set) var question: Presentation
    /// Ben's call, if it waits.
    private(set) var wait: WaitID?
    /// The number of calls that were granted at once.
    private var grantsAtOnce = 0

    init(_ kind: Challenge.Kind, _ route: Route) throws {
        self.kind = kind
        self.route = route
        device = Device(configuration: .asking(kind))
        device.wallTime = .today
        try device.apply(.setPasscode(hash: "$y$hash"), as: .root)
        try device.apply(.setTOTP(key: GateSecret("key".utf8), usedStep: 10), as: .root)
        if route == .presenter {
            try device.apply(.register(.everything), as: .olga)
            try device.apply(.register(.everything), as: .otto)
        }
        (question, wait) = try Self.ask(route, on: &device)
        try #require(question.question.kind == kind)
    }

    private static func ask(_ route: Route, on device: inout Device) throws -> (Presentation, WaitID?) {
        switch route {
        case .requester:
            return (try device.authorize("attacked", as: .ben).presentation(), nil)
        case .presenter:
            let wait = try device.waitFor("attacked", as: .ben)
            let open = try #require(device.state.presentations(visibleTo: .root).first)
            return (try device.claim(open.id, as: .olga), wait)
        }
    }

    /// Asks another question of the same kind.
    mutating func askAgain() throws {
        (question, wait) = try Self.ask(route, on: &device)
    }

    /// Moves the question to another presenter.
    mutating func claim(as peer: Peer) throws {
        question = try device.claim(question.id, as: peer)
    }

    /// The peer that the cookie belongs to.
    var holder: Peer {
        switch route {
        case .requester: .ben
        case .presenter: .olga
        }
    }

    /// Every peer that might get hold of another's cookie; if the question is on Olga's screen, Ben too.
    var thieves: [Peer] {
        let others = [Peer.bensOther, .olgasOther, .anna, .mara, .otto, .root]
        switch route {
        case .requester: return others + [.olga]
        case .presenter: return others + [.ben]
        }
    }

    // MARK: - Answering

    enum Sort: CaseIterable {
        case right, wrong
    }

    func answer(_ sort: Sort) -> ChallengeAnswer {
        switch sort {
        case .right: question.question.rightAnswer
        case .wrong: question.question.wrongAnswer
        }
    }

    func completion(_ sort: Sort) -> Command {
        .complete(question.cookie, answer(sort))
    }

    /// Prepares the answer: a hold is pressed, and for a right answer kept long enough.
    mutating func prepare(_ sort: Sort, as peer: Peer? = nil) throws {
        guard kind == .hold else { return }
        try device.apply(.report(question.cookie, .pressed), as: peer ?? holder)
        if sort == .right { device.now = device.now.advanced(by: .seconds(3)) }
    }

    /// Gives an answer, and has a typed secret checked.
    mutating func give(_ sort: Sort, as peer: Peer? = nil) throws {
        try prepare(sort, as: peer)
        try complete(sort, as: peer)
        try findOut()
    }

    mutating func complete(_ sort: Sort, as peer: Peer? = nil) throws {
        let reply = try device.apply(completion(sort), as: peer ?? holder).reply
        if case .granted = reply { grantsAtOnce += 1 }
    }

    /// Checks the typed secret as the daemon does, if there is one.
    mutating func findOut() throws {
        guard let check = device.checks.removeValue(forKey: question.id) else { return }
        try device.check(question.id, finds: check.outcome)
    }

    // MARK: - Looking

    var isOpen: Bool { device.state.presentations(visibleTo: .root).contains { $0.id == question.id } }

    /// The number of grants, if replies and journal agree on it; else `nil`.
    var grantCount: Int? {
        let settled = device.settled.values.joined().count { if case .granted = $0 { true } else { false } }
        let journalled = device.journal.count { $0.kind == .granted }
        return grantsAtOnce + settled == journalled && device.mode == .child ? journalled : nil
    }

    /// Expects that no answer with this cookie has an effect any more, and that a late outcome of a check has none.
    mutating func expectClosed(to peer: Peer? = nil, location: SourceLocation = #_sourceLocation) {
        #expect(!isOpen, sourceLocation: location)
        for sort in Sort.allCases {
            device.refuses(completion(sort), as: peer ?? holder, .aborted, .closed, location: location)
        }
        for input in PresentationInput.allCases {
            device.refuses(
                .report(question.cookie, input), as: peer ?? holder, .aborted, .closed, location: location)
        }
        device.refuses(.dismiss(question.cookie), as: peer ?? holder, .aborted, .closed, location: location)
        device.changesNothing(
            .secretChecked(presentation: question.id, .right(step: 12)), as: .daemon, location: location)
    }

    /// Expects that this peer can do nothing with this cookie, and that trying has no effect.
    mutating func expectForged(
        _ cookie: PresentationCookie, from peer: Peer, location: SourceLocation = #_sourceLocation
    ) {
        let commands =
            [
                .complete(cookie, answer(.right)), .complete(cookie, answer(.wrong)), .report(cookie, .shown),
                .report(cookie, .pressed), .dismiss(cookie),
            ] as [Command]
        for command in commands {
            device.refuses(command, as: peer, .permissionDenied, .wrongCookie, location: location)
        }
    }
}

extension Peer {
    static let bensOther = Peer(connection: 21, uid: 1002, pid: 121, roles: .app)
    static let olgasOther = Peer(
        connection: 22, uid: 1005, pid: 122, roles: [.app, .presenter, .grownUpPresenter])
    /// Another presenter of grown-ups.
    static let otto = Peer(connection: 23, uid: 1006, pid: 123, roles: [.app, .presenter, .grownUpPresenter])
}

extension WallTime {
    /// 21 June 2026.
    fileprivate static let today = WallTime(unixMilliseconds: 1_782_000_000_000)
    static let millisecondsOfACentury: Int64 = 36_525 * 86_400_000
}

extension Configuration {
    /// The policy with a gated action that needs this kind of challenge.
    fileprivate static func asking(_ kind: Challenge.Kind) -> Configuration {
        var configuration = sums
        configuration.gatedActions = [
            "attacked": GatedAction(
                title: "What attackers want", requirement: .challenge(ChallengeRule(kind)))
        ]
        configuration.questions = ["Hamster", "Otter"].map { animal in
            QuizQuestion(
                id: animal, difficulty: .medium,
                texts: [
                    QuizQuestion.Text(
                        language: "en", question: "Which of these is an animal?", right: animal,
                        wrong: ["Basalt", "Cello", "Fjord"])
                ])
        }
        return configuration
    }
}

extension Challenge {
    /// The answer of a grown-up, from the picture and their knowledge. A hold has to be pressed before.
    fileprivate var rightAnswer: ChallengeAnswer {
        switch self {
        case .arithmeticChoice, .arithmeticEntry, .confirm: .text(solution)
        case .shapes(let problem, _): .text("\(problem.counted)")
        case .quiz(let texts): .text("\(texts.numberOfTheAnimal)")
        case .birthdate: .text("1950-01-01")
        case .passcode: .secret(.passcode)
        case .totp: .secret(.code)
        case .hold: .released
        case .swipe(let gesture): .swiped(gesture)
        }
    }

    /// The answer of somebody who guesses. A hold is released at once, and a permission is denied.
    fileprivate var wrongAnswer: ChallengeAnswer {
        switch self {
        case .arithmeticChoice(let problem, let choices):
            .text("\(choices.first { $0 != problem.solved } ?? problem.solved)")
        case .arithmeticEntry(let problem): .text("\(problem.solved + 1)")
        case .shapes(let problem, let choices):
            .text("\(choices.first { $0 != problem.counted } ?? problem.counted)")
        case .quiz(let texts): .text("\(texts.numberOfTheAnimal % 4 + 1)")
        case .confirm: .text("no")
        case .birthdate: .text("2020-01-01")
        case .passcode: .secret(GateSecret("1357".utf8))
        case .totp: .secret(GateSecret("654321".utf8))
        case .hold: .released
        case .swipe(let gesture): .swiped(SwipeGesture(gesture.direction, fingers: gesture.fingers + 1))
        }
    }
}

extension ShapesProblem {
    /// The number of corners on both sides.
    fileprivate var counted: Int {
        let (left, right) = (left.reduce(0) { $0 + $1.form.corners }, right.reduce(0) { $0 + $1.form.corners })
        return `operator` == .minus ? left - right : left + right
    }
}

extension [QuizText] {
    /// From 1.
    fileprivate var numberOfTheAnimal: Int {
        1 + (first?.choices.firstIndex { ["Hamster", "Otter"].contains($0) } ?? 0)
    }
}

extension GateSecret {
    fileprivate static let passcode = GateSecret("2468".utf8)
    fileprivate static let code = GateSecret("123456".utf8)
}

extension SecretCheck {
    /// The outcome that the daemon finds for this answer.
    fileprivate var outcome: SecretOutcome {
        switch self {
        case .passcode(let secret, _): secret == .passcode ? .right(step: nil) : .wrong
        case .totp(let secret, _, _, let usedStep): secret == .code ? .right(step: usedStep + 1) : .wrong
        }
    }
}
