import GateModel
import GateProtocol

// MARK: Parts

extension SplitMix {
    mutating func signInState() -> SignInState {
        SignInState(
            session: optional {
                SignInState.Session(
                    name: $0.text(), isChild: $0.bool(), deadline: BootTime(nanoseconds: $0.integer()))
            },
            isAuthenticating: bool(), needsAuthentication: bool())
    }

    mutating func account() -> GatePerson {
        GatePerson(name: text(), kind: bool() ? .grownUp : .child(born: civilDate()), isConfirmed: bool())
    }

    /// Of those that ten characters can tell: a day of the years 0 to 9999.
    fileprivate mutating func civilDate() -> CivilDate {
        CivilDate(
            WallTime(unixMilliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &self)))
    }
}

// MARK: SignIn

extension LogInRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(name: random.text(), password: random.secret())
    }
}
extension RegisterAccountRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(account: random.account(), password: random.secret())
    }
}
extension ChangePasswordRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(name: random.text(), oldPassword: random.optional { $0.secret() }, newPassword: random.secret())
    }
}
extension AccountMessage: SampledElement {
    static func sample(using random: inout SplitMix) -> Self { Self(random.account()) }
}
extension ListedPerson: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        let kind: GatePerson.Kind =
            switch random.next() % 3 {
            case 0: .grownUp
            case 1: .shared
            default: .child(born: random.optional { $0.civilDate() })
            }
        let user = random.optional { GatePerson.UnixUser(name: $0.text(), uid: UInt32(truncatingIfNeeded: $0.next())) }
        return Self(
            GatePerson(
                name: random.text(), kind: kind, user: user, hasPassword: random.bool(), isConfirmed: random.bool()),
            isUserUnknown: random.bool())
    }
}
extension SetPersonRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(person: .sample(using: &random), grant: random.optional { Grant.Proof(bytes: [1] + $0.bytes()) })
    }
}
extension RemovePersonRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(name: random.text(), grant: random.optional { Grant.Proof(bytes: [1] + $0.bytes()) })
    }
}
extension RemoveAccountRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(name: random.text()) }
}
extension ConfirmAccountRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(account: random.account(), newPassword: random.secret())
    }
}
