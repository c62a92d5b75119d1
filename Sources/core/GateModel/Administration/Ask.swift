/// A request for a gated action that waits for a grown-up's answer, or that was answered. It outlives the program that
/// asked, and a restart of the device.
public struct Ask: Hashable, Sendable, Identifiable {
    /// What has become of it.
    @nonexhaustive
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Nobody has answered yet.
        case waiting
        /// A grown-up said yes, and the program may ask again and do it, as often as `choice` says.
        case allowed
        /// A grown-up said no. The same can't be asked again before `ends`, and after "not until tomorrow"
        /// (`isUntilTomorrow`) nothing else of this gated action either.
        case refused
        /// It is over. It is only listed because another device has not taken the answer that was given on this one:
        /// `refusal` says why.
        case closed
        /// A state that a newer version of Gate knows.
        case unrecognized
    }

    /// The number, as people type it. No other ask or question of this device ever has it. An ask of another device has
    /// another number after the daemon was restarted.
    public var id: UInt64
    /// The user who asks.
    public var uid: UInt32
    /// The name of the person whose user that is.
    public var person: String
    /// The name of the gated action, like "link.open".
    public var gatedAction: String
    /// The title of the gated action as people read it, in each of its languages.
    public var titles: LocalizedText
    /// Exactly what would be done, as the program said it. If it asks for more time: the amount that the person would
    /// like, like "15m" or "today", or empty.
    public var details: String
    /// What has become of it.
    public var state: State
    /// When its state expires, by the wall clock: the ask stops waiting, the yes ends, or the same can be asked again
    /// after a no. `nil` for a yes that holds until it is taken back.
    public var ends: WallTime?
    /// The choices for a yes now. Empty if the ask was allowed.
    public var choices: [AskChoice]
    /// What a grown-up has chosen; `nil` unless the ask was allowed.
    public var choice: AskChoice?
    /// The name of the household's device on which it was asked. Even then `id` is a number of this device; `uid` is 0.
    /// Empty if it was asked on this device.
    public var device: String
    /// Whether it asks for more time, and not for a grant: for the allowed time after a yes, the person's schedules and
    /// allowances do not close the gated action. Everything else that it requires still counts.
    public var isMoreTime: Bool
    /// Whether a grown-up said "not until tomorrow": until `ends`, this person can ask for nothing of this gated action.
    public var isUntilTomorrow: Bool
    /// Why the other device has refused the last answer that was given on this one, which then has no effect. Empty if
    /// it has refused none.
    public var refusal: String

    package init(
        id: UInt64, uid: UInt32, person: String, gatedAction: String, titles: LocalizedText, details: String,
        state: State, ends: WallTime?, choices: [AskChoice] = [], choice: AskChoice? = nil, device: String = "",
        isMoreTime: Bool = false, isUntilTomorrow: Bool = false, refusal: String = ""
    ) {
        self.id = id
        self.uid = uid
        self.person = person
        self.gatedAction = gatedAction
        self.titles = titles
        self.details = details
        self.state = state
        self.ends = ends
        self.choices = choices
        self.choice = choice
        self.device = device
        self.isMoreTime = isMoreTime
        self.isUntilTomorrow = isUntilTomorrow
        self.refusal = refusal
    }

    /// Whether this user of this device asks. Another device's users have other numbers.
    package func isAsked(by uid: UInt32) -> Bool { device.isEmpty && self.uid == uid }

    /// The title for everybody.
    public var title: String { titles.text }
}
