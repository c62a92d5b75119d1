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
        var request = AuthorizationRequest(
            gatedAction: text(), details: text(), redeemer: optional { $0.integer() },
            subject: optional { $0.subject() })
        (request.mayWait, request.atOnce) = (bool(), bool())
        return request
    }
}

// MARK: The policy

extension SplitMix {
    mutating func challengeForAge() -> ChallengeForAge {
        ChallengeForAge(
            fromAge: number(), challenge: optional { $0.any(of: Challenge.Kind.self) }, isForGrownUps: bool())
    }

    mutating func policySummary() -> PolicySummary {
        PolicySummary(
            files: array { $0.text() }, modeChallenges: array { $0.challengeForAge() }, lease: duration(),
            maximumLease: duration(), answerTime: duration(),
            lockout: Configuration.LockoutRule(
                after: number(), duration: duration(), factor: number(), maximum: duration()),
            signIn: SignInRule(isRequired: bool(), session: duration(), maximumSession: duration()),
            roles: array {
                RoleHolders(
                    role: $0.any(of: RoleHolders.Role.self), users: $0.array { $0.text() },
                    groups: $0.array { $0.text() })
            }, browser: optional { "a" + $0.text() },
            origins: array { PolicySettingOrigin(setting: $0.text(), origin: $0.policyOrigin()) },
            mistakes: array { $0.text() }, timeRules: array { $0.timeRule() })
    }

    mutating func timeRule() -> TimeRule {
        TimeRule(
            kind: any(of: TimeRule.Kind.self), name: text(), notation: text(), origin: optional { $0.policyOrigin() },
            gatedActions: array { $0.text() })
    }

    mutating func policyOrigin() -> PolicyOrigin {
        PolicyOrigin(
            layer: any(of: PolicyLayer.self), file: text(), line: optional { 1 + $0.number() % 1000 })
    }

    mutating func gateStrength() -> GateStrength {
        GateStrength(guessedPerMillion: number(), programPasses: bool(), isWithoutQuestion: bool())
    }

    mutating func listedGate() -> ListedGate {
        ListedGate(
            gatedAction: gatedAction(), conditions: array { $0.condition() }, strength: optional { $0.gateStrength() })
    }

    mutating func gatedAction() -> GatedActionSummary {
        GatedActionSummary(
            name: text(), title: localizedText(), requirement: text(), keep: optional { $0.duration() },
            origin: optional { $0.policyOrigin() }, moreTime: array { $0.choice() })
    }

    mutating func need() -> AuthorizationNeed {
        switch Int.random(in: 0..<7, using: &self) {
        case 0: .parentMode
        case 1: .challenge(any(of: Challenge.Kind.self))
        case 2: .signIn
        case 3: .entitlement(.init(entitlement: text(), title: localizedText()))
        case 4: .form(.init(name: text(), title: localizedText()))
        case 5: .wait
        default: .unrecognized
        }
    }

    mutating func condition() -> ListedCondition {
        let kind: ListedCondition.Kind =
            switch Int.random(in: 0..<10, using: &self) {
            case 0: .all
            case 1: .any
            case 2: .parentMode
            case 3: .challenge(array { $0.challengeForAge() })
            case 4: .signedIn
            case 5: .entitlement(text())
            case 6: .form(text())
            case 7: .during(Schedule(text(), days: (0..<7).map { day in array { $0.span() } }))
            case 8: .allowance(allowance())
            default: .unrecognized
            }
        return ListedCondition(kind, partOf: optional { Int.random(in: 1..<100, using: &$0) })
    }

    private mutating func span() -> Schedule.Span {
        let begin = Int.random(in: 0..<1440, using: &self)
        return Schedule.Span(begin, begin + Int.random(in: 1...1440, using: &self))
    }

    mutating func refusal(_ message: String) -> GateError {
        GateError(
            any(of: GateError.Code.self), any(of: GateError.Reason.self), message,
            retryAfter: optional { $0.duration() },
            parameters: parameters(), issues: array { $0.issue() })
    }

    private mutating func parameters() -> [String: String] {
        Dictionary(array { ($0.text(), $0.text()) }, uniquingKeysWith: { first, _ in first })
    }

    private mutating func issue() -> ErrorIssue {
        let place: ErrorIssue.Place? =
            switch number() % 3 {
            case 0: nil
            case 1: .form(linkID: optional { "l" + $0.text() }, expression: text())
            default: .file(text(), line: optional { 1 + $0.number() % 100 }, column: optional { 1 + $0.number() % 100 })
            }
        let kinds = FormIssue.Code.allCases.filter { $0 != .informational }
        return ErrorIssue(place, kind: optional { kinds[$0.number() % kinds.count] }, parameters: parameters(), text())
    }
}

// MARK: Authorization

extension CheckRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(gatedAction: random.text(), subject: random.optional { $0.subject() }, details: random.text())
    }
}
extension CheckResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        let explanation = random.text()
        return Self(
            revision: random.revision(),
            outlook: AuthorizationOutlook(
                random.any(of: AuthorizationOutlook.Outcome.self), need: random.optional { $0.need() },
                refusal: random.optional { $0.refusal(explanation) }, explanation: explanation))
    }
}
extension AuthorizeRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(request: random.authorizationRequest(), presenting: random.any(of: Presenting.self))
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
extension KeptGrantSummary: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        KeptGrantSummary(
            uid: random.integer(), gatedAction: random.text(), deadline: BootTime(nanoseconds: random.integer()))
    }
}
extension RevokeRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(uid: random.optional { $0.integer() }, gatedAction: random.text())
    }
}
extension GatedActionSummary: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        random.gatedAction()
    }
}
extension GetGatedActionRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(name: random.text()) }
}
extension GetGatedActionResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            gatedAction: random.gatedAction(), conditions: random.array { $0.condition() },
            strength: random.optional { $0.gateStrength() })
    }
}
extension SplitMix {
    fileprivate mutating func lockoutGate() -> Lockout.Gate {
        switch number() % 6 {
        case 0: .mode
        case 1: .gatedAction(text())
        case 2: .secret(SecretKind.allCases[number() % 2])
        case 3: .secretOfDevice(SecretKind.allCases[number() % 2])
        case 4: .otherScreens
        default: .signIn(account: text())
        }
    }
}
extension LockoutSummary: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        LockoutSummary(
            owner: .user(random.integer()), gate: random.optional { $0.lockoutGate() }, wrongAnswers: random.number(),
            limit: random.optional { 1 + $0.number() % 1000 }, remaining: random.optional { $0.duration() })
    }
}
extension ClearLockoutRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(uid: random.optional { $0.integer() }, gate: random.optional { $0.lockoutGate() })
    }
}
extension Ask: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        Ask(
            id: random.integer(), uid: random.integer(), person: random.text(), gatedAction: random.text(),
            titles: random.localizedText(), details: random.text(), state: random.any(of: Ask.State.self),
            ends: random.optional { WallTime(unixMilliseconds: 1 + Int64($0.number())) },
            choices: random.array { $0.choice() }, choice: random.optional { $0.choice() }, device: random.text(),
            isMoreTime: random.bool(), isUntilTomorrow: random.bool(), refusal: random.text())
    }
}
extension SplitMix {
    mutating func choice() -> AskChoice {
        let index = number() % (AskChoice.named.count + 1)
        return index < AskChoice.named.count ? AskChoice.named[index] : .time(.seconds(1 + number() % 100_000))
    }
}
extension AnswerAskRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            number: random.integer(),
            random.bool() ? .yes(random.optional { $0.choice() }) : random.bool() ? .notUntilTomorrow : .no)
    }
}
extension WithdrawAskRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(number: random.integer()) }
}
extension AskMoreTimeRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(gatedAction: random.text(), choice: random.optional { $0.choice() })
    }
}
extension AskMoreTimeResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(revision: random.revision(), ask: .sample(using: &random))
    }
}
// MARK: Secrets

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
extension EnrolTOTPRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(key: random.secret(), code: random.secret())
    }
}
extension RemoveSecretRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(kind: random.any(of: SecretKind.self))
    }
}
