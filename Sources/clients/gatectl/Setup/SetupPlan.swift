import GateModel
import GatePolicy
import GateTexts

/// One thing that `gatectl setup` does.
enum SetupStep: Hashable {
    /// A person is put on the list, or changed.
    ///
    /// - Parameter endsPassword: whether the person loses a password that nobody vouched for.
    case person(GatePerson, endsPassword: Bool = false)
    case removal(name: String)
    /// The passcode that was typed, or stands in a file, is set.
    case passcode
    case authenticator
    /// Whether links that a user's programs open go through Gate.
    case links(user: String, isOn: Bool)
    case software(isOn: Bool)
    case time(isOn: Bool)
    case screen(isOn: Bool)
    case screenWord(ScreenWord)
}

/// The steps that follow from the answers on this device, in their order. Steps that would change nothing are left out.
struct SetupPlan: Hashable {
    var steps: [SetupStep] = []

    init(
        _ answers: SetupAnswers, on situation: SetupSituation, setsPasscode: Bool = false,
        setsAuthenticator: Bool = false
    ) {
        var people = situation.people
        for user in situation.users {
            guard let role = answers.people[user.name] else { continue }
            guard let step = Self.step(for: role, of: user, on: situation) else { continue }
            steps.append(step)
            people.removeAll { $0.user?.name == user.name }
            if case .person(let person, _) = step { people.append(person) }
        }
        if setsPasscode { steps.append(.passcode) }
        if setsAuthenticator { steps.append(.authenticator) }
        if let isOn = answers.links, situation.links.isPossible {
            for user in situation.users where isOn != situation.linkUsers.contains(user.name) {
                // Set-up makes links go through Gate for children only, since grown-ups decide about their own. It
                // takes them back from all users, because a grown-up may have been a child when they were turned on.
                let isChild = people.contains { $0.user?.name == user.name && $0.isChild }
                if isChild || !isOn { steps.append(.links(user: user.name, isOn: isOn)) }
            }
        }
        if let isOn = answers.software, situation.software.changes(to: isOn) { steps.append(.software(isOn: isOn)) }
        if let isOn = answers.time, situation.time.changes(to: isOn) { steps.append(.time(isOn: isOn)) }
        if let isOn = answers.screen, situation.screen.changes(to: isOn) { steps.append(.screen(isOn: isOn)) }
        if let word = answers.screenWord, answers.screen ?? (situation.screen == .on) {
            steps.append(.screenWord(word))
        }
    }

    private static func step(
        for role: SetupAnswers.Role, of user: DeviceUser, on situation: SetupSituation
    ) -> SetupStep? {
        let before = situation.person(of: user)
        // If an account has the name of this user, it becomes the account of that user.
        let namesake = situation.people.first { $0.name == user.name && $0.user == nil }
        var person = before ?? namesake ?? GatePerson(name: user.name, kind: .shared)
        person.user = GatePerson.UnixUser(name: user.name, uid: user.uid)
        // Set-up runs as an administrator, who vouches for the person.
        person.isConfirmed = true
        switch role {
        case .grownUp: person.kind = .grownUp
        case .child(let born):
            let listed = (before ?? situation.account(of: user))?.kind
            let known: CivilDate? = if case .child(let known) = listed { known } else { nil }
            person.kind = .child(born: born ?? known)
        case .shared: person.kind = .shared
        case .nobody:
            guard let before else { return nil }
            // A person with a password stays on the list, but without the Unix user.
            guard before.hasPassword, before.kind != .shared else { return .removal(name: before.name) }
            // Changing an unconfirmed person would end their password for nothing: their Unix user is not used.
            guard before.isConfirmed else { return nil }
            person.user = nil
        }
        // When a person is set, the daemon removes the password of an unconfirmed person with this name.
        let endsPassword = situation.people.contains { $0.name == person.name && $0.isPasswordDoubtful }
        return person == before ? nil : .person(person, endsPassword: endsPassword)
    }
}

extension GatePerson {
    var isChild: Bool { if case .child = kind { true } else { false } }
}

extension SetupSituation.Offer {
    var isPossible: Bool {
        switch self {
        case .unavailable: false
        case .off, .on: true
        }
    }

    func changes(to isOn: Bool) -> Bool {
        switch self {
        case .unavailable: false
        case .off: isOn
        case .on: !isOn
        }
    }
}

extension SetupStep {
    /// The step in words, for the plan and for the report afterwards.
    var text: String {
        switch self {
        case .person(let person, endsPassword: true): return PersonText.passwordGoes(Self.person(person).text)
        case .person(let person, endsPassword: false):
            let name: KeyValuePairs = ["name": VisibleText.line(person.name)]
            // A person without a user is one who only keeps the password.
            guard person.user != nil else {
                return localized("{name} keeps the password, but no longer has a Unix user", name)
            }
            return switch person.kind {
            case .grownUp: localized("{name} is a grown-up", name)
            case .shared: localized("{name} is used by several people", name)
            case .child(nil): localized("{name} is a child", name)
            case .child(let born?):
                localized(
                    "{name} is a child, born {date}",
                    [
                        "name": VisibleText.line(person.name),
                        "date": WritingHabits.ofPerson.date(atStartOf: "\(born)"),
                    ])
            }
        case .removal(let name):
            return localized(
                "{name} is removed from the list, with purchases and forms", ["name": VisibleText.line(name)])
        case .passcode: return localized("a new passcode is set")
        case .authenticator: return localized("an authenticator is set up")
        case .links(let user, isOn: true):
            return localized("links opened by {name} ask first", ["name": VisibleText.line(user)])
        case .links(let user, isOn: false):
            return localized("links opened by {name} no longer ask", ["name": VisibleText.line(user)])
        case .software(isOn: true): return localized("programs are installed only in parent mode")
        case .software(isOn: false): return localized("programs can be installed outside parent mode again")
        case .time(isOn: true): return localized("time that a grown-up allows is added in timekpr")
        case .time(isOn: false): return localized("time that a grown-up allows is no longer added in timekpr")
        case .screen(isOn: true): return localized("Gate's own screen asks for passcodes")
        case .screen(isOn: false): return localized("Gate's own screen is turned off")
        case .screenWord: return localized("Gate's own screen shows your word")
        }
    }
}
