package import GateCore
package import GateModel
public import GatePolicy
import Glibc

/// Everything that the daemon gets from outside: clocks, random numbers, the policy's files, users, processes and
/// threads. `gated` uses the real ones; tests use clocks that they set and random numbers that repeat.
public struct Environment: Sendable {
    public var clock: any Clock
    public var random: any RandomNumberGenerator & Sendable
    public var makeAlarm: AlarmMaker
    /// `nil`: nobody sets the wall clock, so it advances with the boot clock.
    public var watchWallClock: WallClockWatchMaker?
    /// Reads the policy from this device's files, together with the household's policy, if one is given.
    package var readPolicy: @Sendable (_ household: HouseholdPolicy?) throws(PolicyError) -> Policy
    /// Makes the rules of roles from a policy, with the users and groups that exist now.
    public var roleRules: @Sendable (RolePolicy) -> RoleRules
    /// Finds the owner who is billed for a uid; `nil`: each uid is billed to itself.
    var owners: (any OwnerDirectory)?
    /// The users whom the list of people names.
    package var users = UserDatabase.numbered
    /// The processes that brokers ask for.
    package var processes: any ProcessDirectory = SystemProcesses()
    /// Makes `count` threads that may block.
    var makeThreads: @Sendable (_ count: Int, _ niceness: CInt) -> any BlockingThreads = {
        SystemThreads(count: $0, niceness: $1)
    }
    var passwordDecoy = PasswordDecoy()

    package init(
        clock: any Clock, random: any RandomNumberGenerator & Sendable, makeAlarm: @escaping AlarmMaker,
        watchWallClock: WallClockWatchMaker? = nil,
        readPolicy: @escaping @Sendable (_ household: HouseholdPolicy?) throws(PolicyError) -> Policy,
        roleRules: @escaping @Sendable (RolePolicy) -> RoleRules
    ) {
        self.clock = clock
        self.random = random
        self.makeAlarm = makeAlarm
        self.watchWallClock = watchWallClock
        self.readPolicy = readPolicy
        self.roleRules = roleRules
    }

    /// The environment of `gated`.
    /// - Parameter configDirectory: the directory of the policy. Its files must belong to root or to the user that this
    ///   process runs as.
    public static func ofThisDevice(configDirectory: String) -> Environment {
        var environment = Environment(
            clock: SystemClock(), random: SystemRandomNumberGenerator(),
            makeAlarm: { try BootTimeAlarm(on: $0, wake: $1) },
            watchWallClock: { WallClockTimer(on: $0, wasSet: $1) },
            readPolicy: { household throws(PolicyError) in
                try PolicyReader.read(
                    directory: configDirectory, trustedOwners: [0, geteuid()], household: household)
            },
            roleRules: { RoleRules.ofThisDevice($0) })
        environment.owners = SystemOwners()
        environment.users = .system
        return environment
    }

    /// Reads the policy of this device's own files.
    public func policyInForce() throws(BadPolicy) -> PolicyInForce {
        try policyInForce(with: nil)
    }

    /// Reads the policy.
    ///
    /// - Parameter household: the newest policy that the household has for all its devices. If this device does not
    ///   follow it, only its own files count.
    package func policyInForce(with household: SignedHouseholdPolicy?) throws(BadPolicy) -> PolicyInForce {
        var policy: Policy
        do throws(PolicyError) {
            // This device's own files must be right alone, because the daemon starts with them and nothing else.
            policy = try readPolicy(nil)
            if let household, policy.configuration.household?.livesBy(household) ?? false {
                let both = try readPolicy(household.policy)
                if both.configuration.household?.livesBy(household) ?? false { policy = both }
            }
        } catch {
            throw BadPolicy(problems: error.problems)
        }
        return try PolicyInForce(policy: policy, roles: roleRules(policy.roles))
    }
}
