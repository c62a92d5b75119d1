import GateModel
import GateProtocol

/// What people do with the questions of these tests.
extension Presentation {
    /// The one right answer to a sum.
    var rightAnswer: ChallengeAnswer {
        switch challenge {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem): .text("\(problem.result)")
        case .shapes, .quiz, .confirm, .birthdate, .passcode, .totp, .hold, .swipe, nil: .text("")
        }
    }

    var wrongAnswer: ChallengeAnswer {
        switch challenge {
        case .arithmeticChoice(let problem, let choices):
            .text("\(choices.first { $0 != problem.result } ?? 0)")
        case .arithmeticEntry(let problem): .text("\(problem.result + 1)")
        case .shapes, .quiz, .confirm, .birthdate, .passcode, .totp, .hold, .swipe, nil: .text("")
        }
    }
}

extension ArithmeticProblem {
    fileprivate var result: Int {
        switch `operator` {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .dividedBy: left / right
        }
    }
}

extension PresenterAbilities {
    static let everything = PresenterAbilities(
        kinds: Set(Presentation.Kind.allCases), styles: Set(Presentation.Style.allCases))
}

extension AuthorizeRequest {
    init(_ gatedAction: String, _ details: String = "", presenting: Presenting = .elsewhere) {
        self.init(
            request: AuthorizationRequest(gatedAction: gatedAction, details: details), presenting: presenting)
    }
}

extension AuthorizeResponse {
    var grant: Grant? {
        if case .grant(let grant) = result { grant } else { nil }
    }

    var presentation: Presentation? {
        if case .presentation(let presentation) = result { presentation } else { nil }
    }
}

extension Connected {
    /// Registers a presenter, and waits for the confirmation.
    func register(
        _ abilities: PresenterAbilities = .everything
    ) async throws -> OpenStream<RegisterPresenterResponse> {
        var stream = try await open(Methods.Presentations.register, RegisterPresenterRequest(abilities: abilities))
        _ = try await stream.next()
        return stream
    }

    /// Waits until there is a presentation, and claims it.
    func claim(from stream: inout OpenStream<RegisterPresenterResponse>) async throws -> Presentation {
        while let told = try await stream.next() {
            guard let offered = told.presentation else { continue }
            return try await call(Methods.Presentations.claim, ClaimRequest(id: offered.id)).presentation
        }
        throw GateError(.unknown, .unspecified, "the presenter's stream has ended")
    }

    func complete(_ presentation: Presentation, _ answer: ChallengeAnswer) async throws(GateError) -> CompleteResponse {
        try await call(Methods.Presentations.complete, CompleteRequest(cookie: presentation.cookie, answer: answer))
    }
}
