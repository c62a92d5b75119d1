import GateModel
import GatePolicy
import GateTexts

extension InstallationFacts {
    /// The needs of a policy beside its files.
    struct Needs: Hashable {
        /// Accounts: somebody has to sign in.
        var signIn = false
        /// Somebody who asks RevenueCat.
        var revenueCat = false
        /// Parent mode, as the policy calls it. No gated action has that name.
        static let mode = "mode"
        /// The gates that ask what only grown-ups may answer, as the policy calls them, parent mode first: somebody has to present to
        /// grown-ups. Empty on a device of a household, whose guardians may answer elsewhere.
        var gatesOfGrownUps: [String] = []
        /// The users with that role by the policy. Empty: nobody.
        var grownUpPresenters: [String] = []
        /// Users that have roles by the policy, and that this device does not know.
        var unknownUsers: [String] = []
        /// The same for groups.
        var unknownGroups: [String] = []

        /// Whether a gate asks what only grown-ups may answer.
        var grownUps: Bool { !gatesOfGrownUps.isEmpty }
    }
}

extension InstallationFacts.Needs {
    /// The needs of the policy on this device, whose name services are asked for the users and groups, as gated asks them.
    init(of policy: Policy) {
        let principals = policy.roles.principals
        self.init(
            signIn: policy.configuration.signIn.isRequired, revenueCat: policy.providers.revenueCat != nil,
            gatesOfGrownUps: policy.configuration.household == nil ? policy.configuration.gatesOfGrownUps : [],
            grownUpPresenters: policy.roles.grownUpPresenters.names,
            unknownUsers: Self.unknown(principals.flatMap(\.users), in: "passwd"),
            unknownGroups: Self.unknown(principals.flatMap(\.groups), in: "group"))
    }

    /// Those of the names that a database of the system does not have; `getent` asks for them. A number needs no entry there.
    private static func unknown(_ names: [String], in database: String) -> [String] {
        Set(names).subtracting(RolePolicy.builtInNames).sorted()
            .filter { UInt32($0) == nil && Program.exitStatus(of: ["getent", database, $0]) == 2 }
    }

    /// The things that a policy without a mistake lacks all the same, in sentences.
    var warnings: [String] {
        var warnings: [String] = []
        if grownUps, grownUpPresenters.isEmpty {
            warnings.append(
                localized(
                    "Only grown-ups may answer at {gates}, and the policy has nobody to present it to them. Name their users under `roles: grown-up-presenter: users:`.",
                    ["gates": ListText.things(gatesOfGrownUps.map { $0 == Self.mode ? localized("parent mode") : $0 })])
            )
        }
        if !unknownUsers.isEmpty {
            warnings.append(
                localized(
                    "The policy gives roles to users that this device does not have: {names}.",
                    ["names": ListText.things(unknownUsers.map(VisibleText.line))]))
        }
        if !unknownGroups.isEmpty {
            warnings.append(
                localized(
                    "The policy gives roles to groups that this device does not have: {names}.",
                    ["names": ListText.things(unknownGroups.map(VisibleText.line))]))
        }
        return warnings
    }
}

extension Principals {
    fileprivate var names: [String] { users + groups.map { "a member of \($0)" } }
}

extension RolePolicy {
    /// `InstallationFacts.findings` looks at these by themselves.
    fileprivate static let builtInNames: Set<String> = ["gate-admin", "gate-presenter"]
}

extension Configuration {
    /// The gates that ask what only presenters of grown-ups may take the answer to.
    fileprivate var gatesOfGrownUps: [String] {
        (modeChallenge.asksGrownUpsAlone ? [InstallationFacts.Needs.mode] : [])
            + gatedActions.filter { $0.value.requirement.asksGrownUpsAlone }.keys.sorted()
    }
}

extension Requirement {
    fileprivate var asksGrownUpsAlone: Bool {
        switch self {
        case .challenge(let rule): rule.asksGrownUpsAlone
        // One of the others may do.
        case .any(let parts): parts.allSatisfy(\.asksGrownUpsAlone)
        case .all(let parts): parts.contains(where: \.asksGrownUpsAlone)
        case .parentMode, .signedIn, .entitlement, .form: false
        }
    }
}

extension ChallengeRule {
    fileprivate var asksGrownUpsAlone: Bool { bands.contains { $0.challenge.answeredBy == .grownUp } }
}
