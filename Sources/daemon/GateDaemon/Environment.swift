import GateCore
import GateModel
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
    /// Reads this device's files of the policy.
    package var readPolicyFiles: @Sendable () throws(PolicyError) -> DevicePolicyFiles
    /// Makes the rules of roles from a policy, with the users and groups that exist now.
    public var roleRules: @Sendable (RolePolicy) -> RoleRules
    /// Finds the owner who is billed for a uid; `nil`: each uid is billed to itself.
    var owners: (any OwnerDirectory)?
    /// Where the users that the list of people names are looked up.
    package var users = UserDatabase.numbered
    /// The file with the device's own users. If it changes, the users on the list of people are looked up again.
    package var userFile = "/etc/passwd"
    /// Whether the directory of `userFile` is watched, in which the time zone's file is, too. The kernel allows each
    /// user 128 inotify instances by default, too few for a test with many daemons.
    package var watchesUserFile = true
    /// The directory in which the login manager keeps a file of each session. If it is `nil`, no time stops because of
    /// the sessions on the screens.
    package var loginSessions: String?
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
        readPolicyFiles: @escaping @Sendable () throws(PolicyError) -> DevicePolicyFiles,
        roleRules: @escaping @Sendable (RolePolicy) -> RoleRules
    ) {
        self.clock = clock
        self.random = random
        self.makeAlarm = makeAlarm
        self.watchWallClock = watchWallClock
        self.readPolicyFiles = readPolicyFiles
        self.roleRules = roleRules
    }

    /// The environment of `gated`. The files of both directories must belong to root or to this process's user.
    ///
    /// - Parameters:
    ///   - configDirectory: the directory of the device's own policy.
    ///   - shippedDirectory: the directory of the shipped defaults; `nil`: `/usr/share/gate/policy.d` if
    ///     `configDirectory` is `/etc/gate`, otherwise none.
    public static func ofThisDevice(configDirectory: String, shippedDirectory: String? = nil) -> Environment {
        let shippedDirectory = shippedDirectory ?? PolicyReader.shippedDirectory(beside: configDirectory)
        var environment = Environment(
            clock: SystemClock(), random: SystemRandomNumberGenerator(),
            makeAlarm: { try BootTimeAlarm(on: $0, wake: $1) },
            watchWallClock: { WallClockTimer(on: $0, wasSet: $1) },
            readPolicyFiles: { () throws(PolicyError) in
                try PolicyReader.files(
                    directory: configDirectory, shipped: shippedDirectory, trustedOwners: [0, geteuid()])
            },
            roleRules: { RoleRules.ofThisDevice($0) })
        environment.owners = SystemOwners()
        environment.users = .system
        environment.loginSessions = "/run/systemd/sessions"
        return environment
    }

    /// Reads the policy of this device's files, without the household's policy and the choices in the store.
    public func policyInForce() throws(BadPolicy) -> PolicyInForce {
        try policyInForce(with: StoredPolicy())
    }

    /// - Parameters:
    ///   - stored: the parts of the policy that are in the store. If this device does not follow the household's
    ///     policy, only its own files and the choices count.
    ///   - known: this device's files as they were read before; `nil`: they are read now.
    package func policyInForce(
        with stored: StoredPolicy, known: DevicePolicyFiles? = nil
    ) throws(BadPolicy) -> PolicyInForce {
        var policy: Policy
        let files: DevicePolicyFiles
        do throws(PolicyError) {
            if let known { files = known } else { files = try readPolicyFiles() }
            // This device's own files must be right alone, because the daemon starts with them and nothing else.
            policy = try files.policy(nil, stored.choices)
            if let household = stored.household, policy.configuration.household?.livesBy(household) ?? false {
                let both = try files.policy(household.policy, stored.choices)
                if both.configuration.household?.livesBy(household) ?? false { policy = both }
            }
        } catch {
            throw BadPolicy(problems: error.problems)
        }
        return try PolicyInForce(policy: policy, roles: roleRules(policy.roles), files: files)
    }
}
