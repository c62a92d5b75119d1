package import CGateProtocol
package import GateModel

// control.proto: the policy in force

extension Methods.Control {
    package static let policy = Method<GetPolicyRequest, GetPolicyResponse>(service, "GetPolicy")
}

package typealias GetPolicyRequest = EmptyMessage<Gate__V1__GetPolicyRequest>

package typealias GetPolicyResponse = PolicyReply<Gate__V1__GetPolicyResponse>
extension Gate__V1__GetPolicyResponse: CPolicyReply {}

/// An answer with the policy in force.
package struct PolicyReply<CMessage: CPolicyReply>: MappedMessage {
    package var inForce: [String]
    /// The policy for programs; `nil` if the daemon does not send it.
    package var policy: PolicySummary?

    package init(inForce: [String], policy: PolicySummary? = nil) {
        self.inForce = inForce
        self.policy = policy
    }

    init(reading message: CMessage) throws(GateError) {
        self.init(
            inForce: [String](reading: message.in_force, count: message.n_in_force),
            policy: try PolicySummary(optional: message.policy))
    }

    func write(to message: inout CMessage, in arena: inout MessageArena) {
        (message.in_force, message.n_in_force) = arena.strings(inForce)
        message.policy = arena.message(optional: policy)
    }
}

/// The generated struct of a `PolicyReply`.
// swift-format-ignore: AlwaysUseLowerCamelCase
package protocol CPolicyReply: CStruct {
    var in_force: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>! { get set }
    var n_in_force: Int { get set }
    var policy: UnsafeMutablePointer<Gate__V1__PolicySummary>! { get set }
}

extension PolicySummary: MessageMapping {
    init(reading message: Gate__V1__PolicySummary) throws(GateError) {
        let unset = Configuration.LockoutRule(after: 0, duration: .zero, factor: 0, maximum: .zero)
        self.init(
            files: [String](reading: message.files, count: message.n_files),
            modeChallenges: try [ChallengeForAge](reading: message.mode_challenges, count: message.n_mode_challenges),
            lease: .milliseconds(message.lease_milliseconds),
            maximumLease: .milliseconds(message.maximum_lease_milliseconds),
            answerTime: .milliseconds(message.answer_milliseconds),
            lockout: message.lockout.map { WireLockoutRule(reading: $0.pointee).rule } ?? unset,
            signIn: SignInRule(
                isRequired: message.is_sign_in_required != 0, session: .milliseconds(message.session_milliseconds),
                maximumSession: .milliseconds(message.maximum_session_milliseconds)),
            roles: try [RoleHolders](reading: message.roles, count: message.n_roles),
            browser: String(reading: message.browser).isEmpty ? nil : String(reading: message.browser),
            origins: try [PolicySettingOrigin](reading: message.origins, count: message.n_origins),
            mistakes: [String](reading: message.mistakes, count: message.n_mistakes),
            timeRules: try [TimeRule](reading: message.time_rules, count: message.n_time_rules))
    }

    func write(to message: inout Gate__V1__PolicySummary, in arena: inout MessageArena) {
        (message.files, message.n_files) = arena.strings(files)
        (message.mode_challenges, message.n_mode_challenges) = arena.messages(modeChallenges)
        message.lease_milliseconds = lease.wireMilliseconds
        message.maximum_lease_milliseconds = maximumLease.wireMilliseconds
        message.answer_milliseconds = answerTime.wireMilliseconds
        message.lockout = arena.message(WireLockoutRule(rule: lockout))
        message.is_sign_in_required = signIn.isRequired ? 1 : 0
        message.session_milliseconds = signIn.session.wireMilliseconds
        message.maximum_session_milliseconds = signIn.maximumSession.wireMilliseconds
        (message.roles, message.n_roles) = arena.messages(roles)
        message.browser = arena.string(browser ?? "")
        (message.origins, message.n_origins) = arena.messages(origins)
        (message.mistakes, message.n_mistakes) = arena.strings(mistakes)
        (message.time_rules, message.n_time_rules) = arena.messages(timeRules)
    }
}

private struct WireLockoutRule: MessageMapping {
    let rule: Configuration.LockoutRule

    init(rule: Configuration.LockoutRule) {
        self.rule = rule
    }

    init(reading message: Gate__V1__LockoutRule) {
        rule = Configuration.LockoutRule(
            after: Int(message.after), duration: .milliseconds(message.duration_milliseconds),
            factor: Int(message.factor), maximum: .milliseconds(message.maximum_milliseconds))
    }

    func write(to message: inout Gate__V1__LockoutRule, in arena: inout MessageArena) {
        message.after = UInt32(clamping: rule.after)
        message.duration_milliseconds = rule.duration.wireMilliseconds
        message.factor = UInt32(clamping: rule.factor)
        message.maximum_milliseconds = rule.maximum.wireMilliseconds
    }
}

extension RoleHolders: MessageMapping {
    init(reading message: Gate__V1__RoleHolders) {
        self.init(
            role: Role(wire: message.role, else: .unrecognized),
            users: [String](reading: message.users, count: message.n_users),
            groups: [String](reading: message.groups, count: message.n_groups),
            userCount: Int(message.user_count), groupCount: Int(message.group_count))
    }

    func write(to message: inout Gate__V1__RoleHolders, in arena: inout MessageArena) {
        message.role = role.wire
        (message.users, message.n_users) = arena.strings(users)
        (message.groups, message.n_groups) = arena.strings(groups)
        message.user_count = UInt32(clamping: userCount)
        message.group_count = UInt32(clamping: groupCount)
    }
}

extension RoleHolders.Role: EnumMapping {
    var wire: Gate__V1__Role {
        switch self {
        case .administrator: GATE__V1__ROLE__ROLE_ADMINISTRATOR
        case .presenter: GATE__V1__ROLE__ROLE_PRESENTER
        case .grownUpPresenter: GATE__V1__ROLE__ROLE_GROWN_UP_PRESENTER
        case .provider: GATE__V1__ROLE__ROLE_PROVIDER
        case .broker: GATE__V1__ROLE__ROLE_BROKER
        case .household: GATE__V1__ROLE__ROLE_HOUSEHOLD
        case .timekeeper: GATE__V1__ROLE__ROLE_TIMEKEEPER
        case .unrecognized: GATE__V1__ROLE__ROLE_UNSPECIFIED
        }
    }
}
