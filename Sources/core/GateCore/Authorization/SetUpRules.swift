package import GateModel

/// The questions that replace a secret which a policy names but nobody has set up.
///
/// | asked for      | the other secret is set up | nothing is set up                                       |
/// |----------------|----------------------------|---------------------------------------------------------|
/// | a gated action | the other secret           | `arithmetic-entry`                                      |
/// | the mode       | the other secret           | administrators get in unasked, nobody else gets in      |
package struct SetUpRules: Hashable, Sendable {
    /// The secrets that are set up. The first one replaces a secret that is not.
    let secrets: [SecretKind]

    package init(secrets: [SecretKind]) {
        self.secrets = secrets
    }

    /// The question before a gated action. If the action reaches other devices of the household, a grown-up must answer
    /// the replacement, since any program can do a sum.
    package func forGatedAction(
        _ specification: ChallengeSpecification, reachesOthers: Bool = false
    ) -> ChallengeSpecification {
        available(specification)
            ?? ChallengeSpecification(
                .arithmeticEntry, answeredBy: reachesOthers ? .grownUp : specification.answeredBy)
    }

    /// The question before parent mode and before a longer lease; `nil` if only administrators get past.
    package func forMode(_ specification: ChallengeSpecification) -> ChallengeSpecification? {
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
    /// The secret that this kind of challenge asks for; `nil` if it asks for none.
    init?(asking kind: Challenge.Kind) {
        guard let secret = Self.allCases.first(where: { $0.challenge == kind }) else { return nil }
        self = secret
    }
}
