public import GateCore
public import GateModel

/// A dialogue with Gate that a parent could read: who is there, what they do, and what Gate says to it.
public struct Script: Hashable, Sendable {
    /// Who is there, and what is different from the ordinary.
    public var world: ScriptWorld
    /// Prose, world and dialogue, in the order of the file.
    public var paragraphs: [Paragraph]

    /// What stands between two blank lines.
    public enum Paragraph: Hashable, Sendable {
        /// Comments, or the world: kept as they are.
        case prose([String])
        case dialogue(Exchange)
    }

    /// Some commands, and the lines that they print together.
    public struct Exchange: Hashable, Sendable {
        /// The line of the file where it begins, from 1.
        public var line: Int
        /// Commands and comments as written.
        public var source: [String]
        public var commands: [ScriptCommand]
        public var expected: [String]
    }

    public init(world: ScriptWorld, paragraphs: [Paragraph]) {
        self.world = world
        self.paragraphs = paragraphs
    }

    /// The file's text.
    public var text: String {
        let paragraphs = paragraphs.map { paragraph -> [String] in
            switch paragraph {
            case .prose(let lines): lines
            case .dialogue(let exchange): exchange.source + ["----"] + exchange.expected
            }
        }
        return paragraphs.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }
}

/// The surroundings of a script.
public struct ScriptWorld: Hashable, Sendable {
    public var people: [Person]
    /// Where the random numbers begin, again after each start of the daemon.
    public var seed: UInt64
    public var challenge: Challenge.Kind

    public init(people: [Person], seed: UInt64, challenge: Challenge.Kind) {
        self.people = people
        self.seed = seed
        self.challenge = challenge
    }

    /// Anna and Ben share the device; root looks after it.
    public static let ordinary = ScriptWorld(
        people: [
            Person(name: "anna", uid: 1001, roles: .app), Person(name: "ben", uid: 1002, roles: .app),
            Person(name: "root", uid: 0, roles: [.app, .administrator]),
        ],
        seed: 1, challenge: .arithmeticChoice)

    /// The one whose commands need none other: the first administrator.
    public var administrator: Person? { people.first { $0.roles.contains(.administrator) } }

    /// The boot clock at the beginning of a script, and right after the device was booted again.
    public static let firstBootTime = BootTime(nanoseconds: 1000 * 1_000_000_000)
    public static let bootTimeAfterReboot = BootTime(nanoseconds: 10 * 1_000_000_000)

    /// What is in force in it: the built-in configuration, but for the kind of challenge.
    public var configuration: Configuration {
        var configuration = Configuration.builtIn
        configuration.modeChallenge = challenge
        return configuration
    }
}

/// Somebody with a user of their own on the device.
public struct Person: Hashable, Sendable {
    public var name: String
    public var uid: UInt32
    public var roles: Roles

    public init(name: String, uid: UInt32, roles: Roles) {
        self.name = name
        self.uid = uid
        self.roles = roles
    }
}

/// One line of a dialogue.
public enum ScriptCommand: Hashable, Sendable {
    case toggle(Person)
    /// `by`: somebody else, who got hold of the cookie. `nil`: whoever was asked.
    case answer(challenge: UInt64, String, by: Person?)
    case dismiss(challenge: UInt64)
    /// The program that asked dies.
    case hangUp(challenge: UInt64)
    case cancel(Person)
    case lock(Person)
    case extend(Duration?, Person)
    case override(Mode, Duration?, reason: String, Person)
    case mode
    case advance(Duration)
    /// The daemon is killed (kill -9) and started again.
    case restart
    /// The device is turned off and on.
    case reboot
    /// The journal since it was last asked for.
    case audit
    /// What a watcher saw since it was last asked for; the first time, it begins to watch.
    case watch(Person)
}
