/// How much time a person has used on one day, of an allowance or of a gated action that has none.
public struct UsedTime: Hashable, Sendable {
    /// What the time is counted for.
    @nonexhaustive
    public enum Subject: Hashable, Sendable {
        /// An allowance of the policy, by its name. All gated actions that need it share its time.
        case allowance(String)
        /// A gated action that needs no allowance, by its name.
        case gatedAction(String)
    }

    /// The name of the person; empty if nobody on the list of people has this user any more.
    public var person: String
    /// The person's own user.
    public var uid: UInt32
    /// What the time is counted for.
    public var subject: Subject
    /// The civil day of the device on which the counted day begins.
    public var day: CivilDate
    /// How much was used on that day, on this device and on others of its household.
    public var used: Duration
    /// How much of it was used on other devices of the household, by the name of the device.
    public var elsewhere: [UsedElsewhere]
    /// How much is left now; `nil` if nothing limits it, or for an earlier day.
    public var left: Duration?
    /// Whether this is the day that is being counted now.
    public var isToday: Bool
    /// Whether the time is running now, because a program is being used.
    public var isRunning: Bool

    package init(
        person: String, uid: UInt32, subject: Subject, day: CivilDate, used: Duration, left: Duration?, isToday: Bool,
        isRunning: Bool, elsewhere: [UsedElsewhere] = []
    ) {
        self.person = person
        self.uid = uid
        self.subject = subject
        self.day = day
        self.used = used
        self.left = left
        self.isToday = isToday
        self.isRunning = isRunning
        self.elsewhere = elsewhere
    }
}

/// How much time a person has used on another device of the household, as that device has reported it.
public struct UsedElsewhere: Hashable, Sendable {
    /// The name of the device.
    public var device: String
    /// How much was used there.
    public var used: Duration

    package init(device: String, used: Duration) {
        self.device = device
        self.used = used
    }
}

/// How much time is left for a program that is being used.
public struct TimeLeft: Hashable, Sendable {
    /// How much time is left; `nil` if nothing limits the use.
    public var left: Duration?
    /// Whether the time is over, so that the program has to end. It becomes false again when there is more time.
    public var isOver: Bool

    public init(left: Duration?, isOver: Bool) {
        self.left = left
        self.isOver = isOver
    }
}
