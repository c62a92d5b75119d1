import GateClient
import GateCredentials
import GatePolicy
import Synchronization

// The answers that a person would know on a testing device.

extension TestingDevice {
    /// The right answer; `nil` if it is unknown, because it was not set up with this device.
    func rightAnswer(to challenge: Challenge) -> ChallengeAnswer? {
        switch challenge.answering {
        case .result, .number:
            return challenge.result.map { .text("\($0)") }
        case .choice(let texts):
            return rightChoice(of: texts).map { .text("\($0)") }
        case .permission:
            return .text("yes")
        case .date(let calendar):
            return .text("\(calendar.year(ofGregorian: 1980))-01-31")
        case .secret(.passcode):
            return memory.value.withLock { $0.passcode }.map { .secret($0) }
        case .secret(.totp):
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
        switch challenge.answering {
        case .result(let choices):
            return .text("\(choices.first { $0 != challenge.result } ?? 0)")
        case .number:
            return .text("\((challenge.result ?? 0) + 1)")
        case .choice(let texts):
            return .text(rightChoice(of: texts) == 1 ? "2" : "1")
        case .permission:
            return .text("no")
        case .date(let calendar):
            return .text("\(calendar.year(ofGregorian: 2025))-01-31")
        case .secret(.passcode):
            return .secret(GateSecret("not the passcode".utf8))
        case .secret(.totp):
            return .secret(GateSecret("000000".utf8))
        case .hold:
            return .released
        case .swipe(let gesture):
            return .swiped(SwipeGesture(gesture.direction.opposite, fingers: gesture.fingers))
        }
    }

    /// The name and password to sign in with. The password is `nil` if the account was not registered with this device.
    /// If `name` is `nil`, it is the account that was registered last; both are `nil` if there is none.
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
