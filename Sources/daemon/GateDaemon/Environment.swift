package import GateCore
package import GateModel
public import GatePolicy
import Glibc

/// The outside world of the authority, so that nothing in it is time or chance: the kernel's clocks and
/// generator in `gated`, settable ones in tests.
public struct Environment: Sendable {
    public var clock: any Clock
    public var random: any RandomNumberGenerator & Sendable
    public var makeAlarm: AlarmMaker
    /// `nil`: the wall clock runs with the boot clock, and nobody sets it.
    public var watchWallClock: WallClockWatchMaker?
    /// The policy as it stands in this device's files now, together with the one that the household has for all of its devices.
    package var readPolicy: @Sendable (_ household: HouseholdPolicy?) throws(PolicyError) -> Policy
    /// The rules of roles by a policy, as of now.
    public var roleRules: @Sendable (RolePolicy) -> RoleRules
    /// The directory of owners; `nil`: each uid for itself.
    var owners: (any OwnerDirectory)?
    /// The processes that brokers ask for.
    package var processes: any ProcessDirectory = SystemProcesses()
    /// So many threads that may wait.
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

    /// The real ones.
    /// - Parameter configDirectory: where the policy is. Its files must be root's, or of the user that this runs as.
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
        return environment
    }

    /// The policy of this device's own files that would be in force now.
    public func policyInForce() throws(BadPolicy) -> PolicyInForce {
        try policyInForce(with: nil)
    }

    /// The policy that would be in force now.
    ///
    /// - Parameter household: the newest that the household has for all of its devices. Where this device does not live by it, its own
    ///   files count alone.
    package func policyInForce(with household: SignedHouseholdPolicy?) throws(BadPolicy) -> PolicyInForce {
        var policy: Policy
        do throws(PolicyError) {
            // This device's own files have to be right by themselves: so it starts with them alone, whatever came from elsewhere.
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
