import GateModel
import GatePolicy
import GateTexts

/// The questions of `gatectl setup`, one after the other. It reads and writes nothing: `SetupVerb` shows `question` and
/// hands over what was typed, and tests do the same without a terminal.
///
/// | question            | asked if                                                | Return means                   |
/// |---------------------|---------------------------------------------------------|--------------------------------|
/// | `role`              | for each user of the device                             | as on the list, or the likeliest |
/// | `born`              | the user before is a child                              | as on the list                 |
/// | `anotherPasscode`   | a passcode is set                                       | no                             |
/// | `passcode`          | none is set, or another one is wanted                   | –                              |
/// | `authenticator`     | the policy asks for a code                              | no                             |
/// | `links`             | links can go through Gate, and somebody is a child      | yes; later, what holds now     |
/// | `software`          | polkit is there, and Gate's rule for it                 | yes; later, what holds now     |
/// | `time`              | gate-timekpr is installed, and somebody is a child      | yes; later, what holds now     |
/// | `screen`            | Gate's own screen is installed                          | yes; later, what holds now     |
/// | `screenWord`        | the screen is wanted and has no word                    | none                           |
struct SetupConversation: Hashable {
    enum Question: Hashable {
        case role(DeviceUser)
        case born(DeviceUser)
        case anotherPasscode
        /// The answer is a secret: `passcodeTyped`.
        case passcode
        case authenticator
        case links
        case software
        /// Whether the time that grown-ups allow is added to timekpr's.
        case time
        case screen
        case screenWord
    }

    let situation: SetupSituation
    /// No child is born later.
    let today: CivilDate
    private(set) var answers = SetupAnswers()
    /// Whether a passcode was typed. The passcode itself is kept by the caller.
    private(set) var setsPasscode = false
    private(set) var setsAuthenticator = false
    private var open: [Question]

    init(_ situation: SetupSituation, today: CivilDate) {
        self.situation = situation
        self.today = today
        open =
            situation.users.map { .role($0) }
            + [situation.secrets.contains(.passcode) ? .anotherPasscode : .passcode]
            + (situation.asksForCode ? [.authenticator] : [])
            + [
                (Question.links, situation.links), (.software, situation.software), (.time, situation.time),
                (.screen, situation.screen),
            ].compactMap { question, offer in
                switch offer {
                case .unavailable: nil
                case .off, .on: question
                }
            }
    }

    /// The next question; `nil`: there is none left.
    var question: Question? { open.first }

    /// The answer that Return gives, which is shown in brackets. `nil` if an answer has to be typed, if Return means
    /// "none", or if the question is one for yes or no (`agrees`).
    var standing: String? {
        switch question {
        case .role(let user): "\(Self.number(of: situation.role(of: user)))"
        case .born(let user):
            if case .child(let born?) = situation.role(of: user) { "\(born)" } else { nil }
        case .anotherPasscode, .passcode, .authenticator, .links, .software, .time, .screen, .screenWord, nil: nil
        }
    }

    /// Whether Return means yes; `nil` if the question is not one for yes or no.
    var agrees: Bool? {
        switch question {
        case .anotherPasscode, .authenticator: false
        case .links: !situation.isRepeated || situation.asksBeforeLinks
        case .software: !situation.isRepeated || situation.software == .on
        case .time: !situation.isRepeated || situation.time == .on
        case .screen: !situation.isRepeated || situation.screen == .on
        case .role, .born, .passcode, .screenWord, nil: nil
        }
    }

    /// Takes the line that was typed as the answer.
    ///
    /// - Returns: what is wrong with the answer, in words for the person; the question then stays open. `nil` if the
    ///   answer was taken.
    mutating func answered(_ typed: String) -> String? {
        let text = typed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        switch question {
        case .role(let user): return takeRole(text, of: user)
        case .born(let user): return takeDate(text, of: user)
        case .screenWord: return takeWord(text)
        case .anotherPasscode, .authenticator, .links, .software, .time, .screen: return takeDecision(text)
        case .passcode, nil: return nil
        }
    }

    /// The passcode was typed twice in the same way.
    mutating func passcodeTyped() {
        guard question == .passcode else { return }
        setsPasscode = true
        open.removeFirst()
    }

    // MARK: -

    private mutating func takeRole(_ text: String, of user: DeviceUser) -> String? {
        let role: SetupAnswers.Role
        switch text {
        case "": role = situation.role(of: user)
        case "1": role = .grownUp
        case "2": role = .child(born: nil)
        case "3": role = .shared
        case "4": role = .nobody
        default: return localized("Type a number from 1 to 4.")
        }
        answers.people[user.name] = role
        open.removeFirst()
        switch role {
        case .child: open.insert(.born(user), at: 0)
        case .grownUp, .shared, .nobody: break
        }
        if open.first(where: { $0.isRole }) == nil, !hasChild { open.removeAll { $0 == .links || $0 == .time } }
        return nil
    }

    private var hasChild: Bool {
        answers.people.values.contains { role in
            switch role {
            case .child: true
            case .grownUp, .shared, .nobody: false
            }
        }
    }

    private mutating func takeDate(_ text: String, of user: DeviceUser) -> String? {
        if !text.isEmpty {
            guard let born = CivilDate(text), born <= today else {
                return localized("Type a day that is not in the future, like 2015-03-02.")
            }
            answers.people[user.name] = .child(born: born)
        }
        open.removeFirst()
        return nil
    }

    private mutating func takeWord(_ text: String) -> String? {
        if !text.isEmpty {
            do throws(ScreenWord.Problem) {
                answers.screenWord = try ScreenWord(text)
            } catch {
                return error.sentence
            }
        }
        open.removeFirst()
        return nil
    }

    private mutating func takeDecision(_ text: String) -> String? {
        guard let agrees, let decision = text.isEmpty ? agrees : WritingHabits.ofPerson.isYes(text) else {
            return localized("Type y or n.")
        }
        let question = open.removeFirst()
        switch question {
        case .anotherPasscode: if decision { open.insert(.passcode, at: 0) }
        case .authenticator: setsAuthenticator = decision
        // A grown-up's own choice stays if no child's links ask and none shall.
        case .links: if decision || agrees { answers.links = decision }
        case .software: answers.software = decision
        case .time: answers.time = decision
        case .screen:
            answers.screen = decision
            if decision, !situation.hasScreenWord { open.insert(.screenWord, at: 0) }
        case .role, .born, .passcode, .screenWord: break
        }
        return nil
    }

    private static func number(of role: SetupAnswers.Role) -> Int {
        switch role {
        case .grownUp: 1
        case .child: 2
        case .shared: 3
        case .nobody: 4
        }
    }
}

extension SetupConversation.Question {
    fileprivate var isRole: Bool {
        switch self {
        case .role: true
        case .born, .anotherPasscode, .passcode, .authenticator, .links, .software, .time, .screen, .screenWord: false
        }
    }
}
