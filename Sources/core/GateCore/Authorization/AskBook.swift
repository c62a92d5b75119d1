package import GateModel

/// A request for a gated action that outlives its call, as it is stored, so that the program that asked can get the
/// answer later. A yes is not in this record: it is a kept grant (`KeptGrant.Yes`).
package struct AskRecord: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Nobody has answered yet. Becomes `refused` or `untilTomorrow` by a no. Becomes `over` by a yes, when it is withdrawn, at its
        /// end, or because the policy, the person or the store was changed.
        case waiting
        /// A grown-up said no. The same words are refused without a question until the end. Becomes `over` then, by a
        /// yes, or because the policy, the person or the store was changed.
        case refused
        /// A grown-up said "not until tomorrow": until the end, every request of this person for this gated action is
        /// refused without a question. Becomes `over` then, by a yes, or because the policy, the person or the store was
        /// changed. Becomes `refused` by a plain no.
        case untilTomorrow = "until-tomorrow"
        /// Allowed, withdrawn or ended. The details are erased. The record still counts towards the asks that a user
        /// may make in a day (`Limits.asksOfDay`), and is removed at its end, which is not before that of a yes to it.
        /// Becomes `refused` or `untilTomorrow` if a grown-up takes back a yes that holds.
        case over
    }

    /// The user who asks, and the person whose user that was then.
    package var uid: UInt32
    package var person: String
    package var gatedAction: String
    /// Empty once it is over.
    package var details: String
    /// The gated action as it was then (`GatedAction.mark`).
    package var mark: String
    package var state: State
    package var askedAt: WallTime
    /// When this state expires: a waiting or refused ask is then over, and an ask that is over is removed.
    /// `WallTime.never` if the ask has a yes that does not end.
    package var end: WallTime
    /// How long the ask may wait for an answer, and how long a yes for once may stay unused.
    package var mayWait: Duration
    /// Random bytes that an answer of a guardian on another device has to repeat. Empty if it can't be answered there:
    /// a grown-up said no, or the ask is of an earlier version of Gate.
    package var nonce: [UInt8]
    /// Whether it asks for more time. Then the details are the amount that the person would like (`AskChoice.text`), or
    /// empty.
    package var isMoreTime: Bool

    package init(
        uid: UInt32, person: String, gatedAction: String, details: String, mark: String, state: State = .waiting,
        askedAt: WallTime, end: WallTime, mayWait: Duration, nonce: [UInt8] = [],
        isMoreTime: Bool = false
    ) {
        self.uid = uid
        self.person = person
        self.gatedAction = gatedAction
        self.details = details
        self.mark = mark
        self.state = state
        self.askedAt = askedAt
        self.end = end
        self.mayWait = mayWait
        self.nonce = nonce
        self.isMoreTime = isMoreTime
    }

    mutating func refused(at time: WallTime) {
        refused(as: .refused, until: time.advanced(by: Limits.askDay))
    }

    mutating func refused(untilTomorrow tomorrow: WallTime) {
        refused(as: .untilTomorrow, until: tomorrow)
    }

    private mutating func refused(as state: State, until end: WallTime) {
        (self.state, self.end) = (state, end)
        // A yes that a guardian has signed before this no, and the broker held back, no longer counts.
        nonce = []
    }

    mutating func ended(at time: WallTime) {
        state = .over
        details = ""
        end = time.advanced(by: Limits.askDay)
    }

    /// Whether this ask waits or was refused, and is this person's, with exactly these words. Texts are compared by
    /// their bytes: for Swift, two spellings of one letter are equal.
    func isFor(_ request: AuthorizationRequest, of uid: UInt32, _ person: String) -> Bool {
        state != .over && !isMoreTime && self.uid == uid && self.person.hasBytes(of: person)
            && gatedAction == request.gatedAction
            && details.hasBytes(of: request.details)
    }
}

/// All asks by number. The earliest end of any ask is cached, because every command reads it.
package struct AskBook: Hashable, Sendable {
    private var asks: [UInt64: AskRecord]
    /// `nil` if no ask ends.
    package private(set) var nextEnd: WallTime?

    package init(_ asks: [UInt64: AskRecord] = [:]) {
        self.asks = asks
        nextEnd = Self.firstEnd(of: asks)
    }

    private static func firstEnd(of asks: [UInt64: AskRecord]) -> WallTime? {
        asks.values.map(\.end).min().flatMap { $0 < .never ? $0 : nil }
    }

    package var isEmpty: Bool { asks.isEmpty }

    package subscript(number: UInt64) -> AskRecord? {
        get { asks[number] }
        set {
            let before = asks[number]?.end
            asks[number] = newValue
            if let before, before == nextEnd {
                nextEnd = Self.firstEnd(of: asks)
            } else if let newValue, newValue.end < nextEnd ?? .never {
                nextEnd = newValue.end
            }
        }
    }

    /// By number, and so in the order of asking.
    package var inOrder: [(number: UInt64, ask: AskRecord)] {
        asks.sorted { $0.key < $1.key }.map { (number: $0.key, ask: $0.value) }
    }

    /// The asks that fulfil a condition, by number.
    func all(where isWanted: (_ number: UInt64, _ ask: AskRecord) -> Bool) -> [(number: UInt64, ask: AskRecord)] {
        asks.filter { isWanted($0.key, $0.value) }.sorted { $0.key < $1.key }.map { (number: $0.key, ask: $0.value) }
    }

    /// The newest ask that fulfils a condition.
    func newest(where isWanted: (AskRecord) -> Bool) -> (number: UInt64, ask: AskRecord)? {
        asks.filter { isWanted($0.value) }.max { $0.key < $1.key }.map { (number: $0.key, ask: $0.value) }
    }

    package func count(where isCounted: (AskRecord) -> Bool) -> Int { asks.values.count(where: isCounted) }
}
