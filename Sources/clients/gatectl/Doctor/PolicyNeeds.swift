import GateModel
import GatePolicy
import GateTexts

extension InstallationFacts {
    /// What a policy needs on the device besides its own files.
    struct Needs: Hashable {
        /// An account, since somebody must be signed in.
        var signIn = false
        /// A service that asks RevenueCat.
        var revenueCat = false
        /// Stands for parent mode among the gates. No gated action has this name.
        static let mode = "mode"
        /// The gates with questions that only grown-ups may answer, parent mode first: they need a presenter for
        /// grown-ups. Empty on a device of a household, since guardians may answer elsewhere.
        var gatesOfGrownUps: [String] = []
        /// The gates with a question that may wait for a grown-up, or that offer more time. Empty on a device of a household, for the same reason.
        var gatesThatWait: [String] = []
        /// The users in whose sessions grown-ups of the list of people answer; `nil` if the list was not read.
        var grownUpsOnList: [String]?
        /// Who may present to grown-ups by the policy: users, and groups as "a member of …".
        var grownUpPresenters: [String] = []
        /// Users to whom the policy gives roles, but whom this device does not have.
        var unknownUsers: [String] = []
        /// The same for groups.
        var unknownGroups: [String] = []

        /// Whether only grown-ups may answer at some gate.
        var grownUps: Bool { !gatesOfGrownUps.isEmpty }
    }
}

extension InstallationFacts.Needs {
    /// Looks up the users and groups in the device's name services, as gated does.
    init(of policy: Policy) {
        let principals = policy.roles.principals
        let isAlone = policy.configuration.household == nil
        self.init(
            signIn: policy.configuration.signIn.isRequired, revenueCat: policy.providers.revenueCat != nil,
            gatesOfGrownUps: isAlone ? policy.configuration.gatesOfGrownUps : [],
            gatesThatWait: isAlone ? policy.configuration.gatesThatWait : [],
            grownUpPresenters: policy.roles.grownUpPresenters.names,
            unknownUsers: Self.unknown(principals.flatMap(\.users), in: "passwd"),
            unknownGroups: Self.unknown(principals.flatMap(\.groups), in: "group"))
    }

    /// The names that `getent` does not find in a database of the system. Numbers need no entry there.
    private static func unknown(_ names: [String], in database: String) -> [String] {
        Set(names).subtracting(RolePolicy.builtInNames).sorted()
            .filter { UInt32($0) == nil && Program.exitStatus(of: ["getent", database, $0]) == 2 }
    }

    /// What is missing although the policy has no mistake, in sentences.
    var warnings: [String] {
        var warnings: [String] = []
        if grownUpPresenters.isEmpty, grownUpsOnList?.isEmpty ?? true {
            // A grown-up is best put on the list. If it is not known who is there, the policy is all that can be judged.
            let waiting = grownUpsOnList == nil ? [] : gatesThatWait
            let others = gatesOfGrownUps.filter { !waiting.contains($0) }
            if !waiting.isEmpty {
                warnings.append(
                    localized(
                        "Questions wait for a grown-up at {gates}, but nobody can answer them: no grown-up with a user of their own is on the list of people. Put one there: `sudo gatectl people set NAME --grown-up`.",
                        ["gates": ListText.things(waiting)]))
            }
            if !others.isEmpty {
                warnings.append(
                    localized(
                        "Only grown-ups may answer at {gates}, but the policy lets nobody show them the question. Name their users under `roles: grown-up-presenter: users:`.",
                        ["gates": ListText.things(others.map { $0 == Self.mode ? localized("parent mode") : $0 })]))
            }
        }
        if !unknownUsers.isEmpty {
            warnings.append(
                localized(
                    "The policy gives roles to users that this device does not have: {names}. Correct the names, or create the users.",
                    ["names": ListText.things(unknownUsers.map(VisibleText.line))]))
        }
        if !unknownGroups.isEmpty {
            warnings.append(
                localized(
                    "The policy gives roles to groups that this device does not have: {names}. Correct the names, or create the groups.",
                    ["names": ListText.things(unknownGroups.map(VisibleText.line))]))
        }
        return warnings
    }
}

extension Principals {
    fileprivate var names: [String] { users + groups.map { "a member of \($0)" } }
}

extension RolePolicy {
    /// The groups of the built-in roles. `doctor` has a check of its own for gate-admin.
    fileprivate static let builtInNames: Set<String> = ["gate-admin", "gate-presenter"]
}

extension Configuration {
    /// The gates with questions that only grown-ups may answer, parent mode first.
    fileprivate var gatesOfGrownUps: [String] {
        (modeChallenge.asksGrownUpsAlone ? [InstallationFacts.Needs.mode] : [])
            + gatedActions.filter { $0.value.requirement.asksGrownUpsAlone }.keys.sorted()
    }

    fileprivate var gatesThatWait: [String] {
        gatedActions.filter { $0.value.requirement.hasWaitingQuestion || !$0.value.moreTime.isEmpty }.keys.sorted()
    }
}

extension Requirement {
    fileprivate var asksGrownUpsAlone: Bool {
        switch self {
        case .challenge(let rule): rule.asksGrownUpsAlone
        // Another part may be enough.
        case .any(let parts): parts.allSatisfy(\.asksGrownUpsAlone)
        case .all(let parts): parts.contains(where: \.asksGrownUpsAlone)
        case .parentMode, .signedIn, .entitlement, .form, .during, .allowance: false
        }
    }

    fileprivate var hasWaitingQuestion: Bool {
        conditions.contains { condition in
            if case .challenge(let rule) = condition {
                rule.bands.contains { $0.challenge.mayWait != nil }
            } else {
                false
            }
        }
    }
}

extension ChallengeRule {
    fileprivate var asksGrownUpsAlone: Bool { bands.contains { $0.challenge.answeredBy == .grownUp } }
}
