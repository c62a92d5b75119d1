public import GateCore
import GateModel

/// What the authority takes from outside itself, so that nothing in it is time or chance: the kernel's clocks and
/// generator in `gated`, settable ones in tests.
public struct Surroundings: Sendable {
    public var clock: any Clock
    public var random: any RandomNumberGenerator & Sendable
    public var makeAlarm: AlarmMaker
    /// Who has which role, as of now.
    public var roleRules: @Sendable () -> RoleRules
    public var configuration: Configuration

    public init(
        clock: any Clock, random: any RandomNumberGenerator & Sendable, makeAlarm: @escaping AlarmMaker,
        roleRules: @escaping @Sendable () -> RoleRules, configuration: Configuration
    ) {
        self.clock = clock
        self.random = random
        self.makeAlarm = makeAlarm
        self.roleRules = roleRules
        self.configuration = configuration
    }

    /// The real ones.
    public static func ofThisDevice() -> Surroundings {
        Surroundings(
            clock: SystemClock(), random: SystemRandomNumberGenerator(),
            makeAlarm: { try await BootTimeAlarm.make(on: $0, wake: $1) },
            roleRules: { RoleRules.ofThisDevice() }, configuration: .builtIn)
    }
}

extension Configuration {
    /// What is in force, a line each, for people.
    public var description: [String] {
        [
            "challenge of the mode: \(modeChallenge.rawValue)",
            "lease of parent mode: \(lease.shortText), at most \(maximumLease.shortText)",
            "time to answer: \(answerTime.shortText)",
            "lockout: after \(lockout.after) wrong answers, for \(lockout.duration.shortText), "
                + "each later one \(lockout.factor) times as long, at most \(lockout.maximum.shortText)",
        ]
    }
}
