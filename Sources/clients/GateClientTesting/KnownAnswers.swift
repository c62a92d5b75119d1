import GateClient
import GateCredentials
import GatePolicy
import Synchronization

// The answers that a person would know on a testing device.

extension TestingDevice {
    /// The right answer; `nil` if it is unknown, because it was not set up with this device.
    func rightAnswer(to challenge: Challenge) -> ChallengeAnswer? {
        switch challenge {
        case .arithmeticChoice(let problem, _), .arithmeticEntry(let problem):
            return .text("\(problem.result)")
        case .shapes(let problem, _):
            return .text("\(problem.result)")
        case .quiz(let texts):
            return rightChoice(of: texts).map { .text("\($0)") }
        case .confirm:
            return .text("yes")
        case .birthdate(let calendar):
            return .text("\(calendar.year(ofGregorian: 1980))-01-31")
        case .passcode:
            return memory.value.withLock { $0.passcode }.map { .secret($0) }
        case .totp:
            let step = TOTPKey.step(at: now)
            return memory.value.withLock { $0.authenticator }.map { .secret($0.code(at: step)) }
        case .hold:
            return .released
        case .swipe(let gesture):
            return .swiped(gesture)
        }
    }

    /// A valid answer that is not right.
    func wrongAnswer(to challenge: Challenge) -> ChallengeAnswer {
        switch challenge {
        case .arithmeticChoice(let problem, let choices):
            return .text("\(choices.first { $0 != problem.result } ?? 0)")
        case .arithmeticEntry(let problem):
            return .text("\(problem.result + 1)")
        case .shapes(let problem, let choices):
            return .text("\(choices.first { $0 != problem.result } ?? 0)")
        case .quiz(let texts):
            return .text(rightChoice(of: texts) == 1 ? "2" : "1")
        case .confirm:
            return .text("no")
        case .birthdate(let calendar):
            return .text("\(calendar.year(ofGregorian: 2025))-01-31")
        case .passcode:
            return .secret(GateSecret("not the passcode".utf8))
        case .totp:
            return .secret(GateSecret("000000".utf8))
        case .hold:
            return .released
        case .swipe(let gesture):
            return .swiped(SwipeGesture(gesture.direction.opposite, fingers: gesture.fingers))
        }
    }

    /// The name and password to sign in with; `nil` if they are unknown. Only passwords of accounts that were
    /// registered with this device are known.
    ///
    /// - Parameter name: `nil`: the account that was registered last.
    func password(of name: String?) -> (name: String?, password: GateSecret?) {
        memory.value.withLock { memory in
            guard let name = name ?? memory.newestAccount else { return (nil, nil) }
            return (name, memory.passwords[name])
        }
    }

    /// The number of the right choice, counted from 1.
    private func rightChoice(of texts: [QuizText]) -> Int? {
        guard let questions = (try? policy.policy(accounts: []))?.configuration.questions else { return nil }
        for text in texts {
            let known = questions.flatMap(\.texts).first {
                $0.question == text.question && Set($0.wrong + [$0.right]) == Set(text.choices)
            }
            if let known, let index = text.choices.firstIndex(of: known.right) { return index + 1 }
        }
        return nil
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

extension ShapesProblem {
    fileprivate var result: Int {
        let (left, right) = (left.reduce(0) { $0 + $1.form.corners }, right.reduce(0) { $0 + $1.form.corners })
        return `operator` == .minus ? left - right : left + right
    }
}

extension BirthdateCalendar {
    fileprivate func year(ofGregorian year: Int) -> Int {
        switch self {
        case .gregorian: year
        case .buddhist: year + 543
        case .minguo: year - 1911
        }
    }
}

extension SwipeGesture.Direction {
    fileprivate var opposite: SwipeGesture.Direction {
        switch self {
        case .up: .down
        case .down: .up
        case .left: .right
        case .right: .left
        }
    }
}
