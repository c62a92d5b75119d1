import GateModel
import GateProtocol

// MARK: Parts

extension SplitMix {
    mutating func grant() -> Grant {
        Grant(
            id: integer(), proof: Grant.Proof(bytes: bytes()), gatedAction: text(), details: text(),
            deadline: BootTime(nanoseconds: integer()))
    }

    mutating func authorizationRequest() -> AuthorizationRequest {
        AuthorizationRequest(gatedAction: text(), details: text(), redeemer: optional { $0.integer() })
    }
}

// MARK: Authorization

extension CheckRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(gatedAction: random.text())
    }
}
extension CheckResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            revision: random.revision(), outlook: random.any(of: AuthorizationOutlook.self), explanation: random.text())
    }
}
extension AuthorizeRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(request: random.authorizationRequest(), presentsItself: random.bool())
    }
}
extension AuthorizeResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            revision: random.revision(),
            result: random.bool() ? .grant(random.grant()) : .presentation(random.presentation()))
    }
}
extension RedeemRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(proof: Grant.Proof(bytes: random.bytes()), gatedAction: random.text(), details: random.text())
    }
}
extension RedeemResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), requesterUID: random.integer(), requesterPID: random.integer())
    }
}
extension ListGrantsRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(pageSize: random.number(), pageToken: random.text())
    }
}
extension ListGrantsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            grants: random.array {
                ListedGrant(
                    uid: $0.integer(), gatedAction: $0.text(), deadline: BootTime(nanoseconds: $0.integer()))
            },
            nextPageToken: random.text())
    }
}
extension RevokeRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(uid: random.optional { $0.integer() }, gatedAction: random.text())
    }
}
extension RevokeResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), count: random.number())
    }
}
extension ListGatedActionsRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(pageSize: random.number(), pageToken: random.text())
    }
}
extension ListGatedActionsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            gatedActions: random.array {
                ListedGatedAction(
                    name: $0.text(), title: $0.text(), requirement: $0.text(), keep: $0.optional { $0.duration() })
            },
            nextPageToken: random.text())
    }
}
extension ListLockoutsRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(pageSize: random.number(), pageToken: random.text())
    }
}
extension ListLockoutsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            lockouts: random.array {
                ListedLockout(
                    owner: .user($0.integer()), gate: $0.text(), wrongAnswers: $0.number(),
                    limit: $0.optional { 1 + $0.number() % 1000 }, remaining: $0.optional { $0.duration() })
            },
            nextPageToken: random.text())
    }
}
extension ClearLockoutRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(uid: random.optional { $0.integer() }, gate: random.text())
    }
}
extension ClearLockoutResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), count: random.number())
    }
}

// MARK: Secrets

extension GetSecretsRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self() }
}
extension GetSecretsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(kinds: random.array { $0.any(of: SecretKind.self) })
    }
}
extension SetPasscodeRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(passcode: random.secret())
    }
}
extension SetPasscodeResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision())
    }
}
extension EnrolTOTPRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(key: random.secret(), code: random.secret())
    }
}
extension EnrolTOTPResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision())
    }
}
extension RemoveSecretRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(kind: random.any(of: SecretKind.self))
    }
}
extension RemoveSecretResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision())
    }
}
