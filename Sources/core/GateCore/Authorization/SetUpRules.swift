import GateModel

/// The questions that stand in for a secret that a policy names and nobody has set up (G-13).
///
/// | asked for      | the other secret is set up | nothing is set up                                       |
/// |----------------|----------------------------|---------------------------------------------------------|
/// | a gated action | the other secret           | `arithmetic-entry`                                      |
/// | the mode       | the other secret           | administrators get in unasked, nobody else gets in      |
struct SetUpRules: Hashable, Sendable {
    /// The secrets that are set up. The first takes the place of one that is not.
    let secrets: [SecretKind]

    /// The questions before a gated action. Before one that reaches other devices of the household a grown-up answers, since any program
    /// can do a sum.
    func forGatedAction(
        _ specification: ChallengeSpecification, reachesOthers: Bool = false
    ) -> ChallengeSpecification {
        available(specification)
            ?? ChallengeSpecification(
                .arithmeticEntry, answeredBy: reachesOthers ? .grownUp : specification.answeredBy)
    }

    /// The questions before parent mode and before a longer lease; `nil`: only administrators get past.
    func forMode(_ specification: ChallengeSpecification) -> ChallengeSpecification? {
        available(specification)
    }

    private func available(_ specification: ChallengeSpecification) -> ChallengeSpecification? {
        guard let secret = SecretKind(asking: specification.kind), !secrets.contains(secret) else {
            return specification
        }
        guard let other = secrets.first else { return nil }
        var substitute = specification
        substitute.kind = other.challenge
        return substitute
    }
}

/// The stored value that a typed secret is compared with.
enum SecretReference: Hashable, Sendable {
    /// A hash as crypt(3) makes it.
    case passcode(hash: String)
    case totp(key: GateSecret)

    var kind: SecretKind {
        switch self {
        case .passcode: .passcode
        case .totp: .totp
        }
    }
}

extension SecretKind {
    /// The secret that this kind of challenge asks for; `nil`: none.
    init?(asking kind: Challenge.Kind) {
        guard let secret = Self.allCases.first(where: { $0.challenge == kind }) else { return nil }
        self = secret
    }
}
