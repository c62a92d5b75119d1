import GateCore
import GateModel

/// A Unix user of this device who is not a grown-up, so that requests of their programs lead to questions.
struct Asker: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// - Parameter age: in years; `nil`: it is not known.
        case child(age: Int?)
        /// Several people use this user.
        case shared
        /// The user is not on the list of people, or Gate does not recognize it.
        case unlisted
    }

    var name: String
    var kind: Kind
    /// Whether the policy lets this user's programs show questions of others, too.
    var isPresenter = false
}

/// The places on this device where a person can be asked.
struct AskingDevice: Hashable, Sendable {
    /// Whether questions are shown in windows: there are desktops, and gate-presenter is installed.
    var hasWindows = false
    var hasOwnScreen = false
    /// Whether Gate's own screen could be turned on.
    var offersOwnScreen = false
    /// The users in whose sessions grown-ups answer.
    var grownUps: [String] = []
    /// Whether the device belongs to a household, whose guardians answer on other devices.
    var hasGuardians = false
    var secrets: [SecretKind] = []
}

/// Where a question is answered.
enum AskingPlace: Hashable, Sendable, CaseIterable {
    /// In the session of the user who asks.
    case thisScreen
    case ownScreen
    /// In the session of a grown-up on this device.
    case grownUp
    /// On another device of the household.
    case guardian
    /// In the program that asks, as gatectl asks in its terminal.
    case program
}

/// What happens when a user's program asks for a gated action.
enum AskingEnd: Hashable, Sendable {
    /// Questions come, one after the other, at these places.
    case asked([AskingPlace])
    /// Nothing is asked: the action is done in parent mode and refused otherwise.
    case onlyInParentMode
    /// Nothing is asked: a schedule alone decides.
    case unasked
    /// The question would be for a secret, but none is set up. So only administrators get in.
    case closed
    /// A question can come up that nobody can answer.
    case nowhere(AskingLack)
}

/// Why a question can be answered nowhere.
enum AskingLack: Hashable, Sendable, CaseIterable {
    /// It asks for a secret, which is never shown in a child's session, nor in that of a user who is not on the list.
    case secret
    /// Only a grown-up may answer it.
    case grownUp
    /// The session of this user may show nothing.
    case presenter
}

/// Finds out where the questions before a gated action are answered, by the rules of `PresentationQueue`. `gatectl
/// setup` and `gatectl doctor` both ask this.
struct AskingRules {
    let device: AskingDevice
    let configuration: Configuration
    let asker: Asker

    /// - Parameter gatedAction: `nil`: parent mode.
    func end(of gatedAction: String?) -> AskingEnd {
        guard let gatedAction else { return endOfMode }
        guard let action = configuration.gatedActions[gatedAction] else { return .onlyInParentMode }
        return end(of: action.requirement, reachesOthers: GatedAction.reachesOthers(gatedAction))
    }

    private var age: Int? {
        switch asker.kind {
        case .child(let age): age
        case .shared, .unlisted: nil
        }
    }

    private var setUp: SetUpRules { SetUpRules(secrets: device.secrets) }

    private var endOfMode: AskingEnd {
        guard let question = setUp.forMode(configuration.modeChallenge.specification(forAge: age)) else {
            return .closed
        }
        return end(of: question)
    }

    private func end(of requirement: Requirement, reachesOthers: Bool) -> AskingEnd {
        switch requirement {
        case .parentMode: return .onlyInParentMode
        case .challenge(let rule):
            return end(of: setUp.forGatedAction(rule.specification(forAge: age), reachesOthers: reachesOthers))
        case .signedIn: return endOfSecret
        case .entitlement: return endOfAnything
        case .during, .allowance: return .unasked
        case .form(let name):
            let isForGrownUps = configuration.forms[name]?.questionnaire.completedBy == .grownUp
            return isForGrownUps ? endOfFormForGrownUps : endOfAnything
        case .all(let parts):
            return all(parts.map { end(of: $0, reachesOthers: reachesOthers) })
        case .any(let parts):
            let ends = parts.map { end(of: $0, reachesOthers: reachesOthers) }
            return ends.first(where: \.isAsked) ?? ends.first(where: \.isNowhere) ?? ends.first { $0 == .unasked }
                ?? .onlyInParentMode
        }
    }

    private func all(_ ends: [AskingEnd]) -> AskingEnd {
        if let end = ends.first(where: \.isNowhere) { return end }
        var places: [AskingPlace] = []
        for case .asked(let more) in ends {
            places += more.filter { !places.contains($0) }
        }
        guard places.isEmpty else { return .asked(places) }
        return ends.allSatisfy { $0 == .unasked } ? .unasked : .onlyInParentMode
    }

    private func end(of question: ChallengeSpecification) -> AskingEnd {
        if question.kind.isSecret { return endOfSecret }
        switch question.answeredBy {
        case .anybody: return endOfAnything
        case .grownUp: return endForGrownUps
        }
    }

    /// Where a question is answered that neither asks for a secret nor is for grown-ups.
    private var endOfAnything: AskingEnd {
        guard device.hasWindows else { return .asked([.program]) }
        switch asker.kind {
        case .child: return .asked([.thisScreen])
        case .shared, .unlisted:
            if asker.isPresenter { return .asked([.thisScreen]) }
            return device.grownUps.isEmpty ? .nowhere(.presenter) : .asked([.grownUp])
        }
    }

    private var endOfSecret: AskingEnd {
        if device.hasOwnScreen { return .asked([.ownScreen]) }
        guard device.hasWindows else { return .asked([.program]) }
        return device.grownUps.isEmpty ? .nowhere(.secret) : .asked([.grownUp])
    }

    private var endForGrownUps: AskingEnd {
        if !device.grownUps.isEmpty { return .asked([.grownUp]) }
        return device.hasGuardians ? .asked([.guardian]) : .nowhere(.grownUp)
    }

    /// A grown-up completes the form in their session. Without windows the program that asks shows it.
    private var endOfFormForGrownUps: AskingEnd {
        guard device.hasWindows else { return .asked([.program]) }
        return device.grownUps.isEmpty ? .nowhere(.grownUp) : .asked([.grownUp])
    }
}

extension AskingEnd {
    fileprivate var isAsked: Bool {
        switch self {
        case .asked: true
        case .onlyInParentMode, .unasked, .closed, .nowhere: false
        }
    }

    var isNowhere: Bool {
        switch self {
        case .nowhere: true
        case .asked, .onlyInParentMode, .unasked, .closed: false
        }
    }
}
