import GateModel

/// A challenge together with its solution, which never leaves the daemon (F-06) and is in no dump of the state.
struct SealedChallenge: Hashable, Sendable {
    /// What is made of an answer.
    enum Verdict: Hashable, Sendable {
        case right
        case wrong
        /// Not an answer at all, such as "90x" (F-24): nothing is counted, the question stays open.
        case notAnAnswer
    }

    /// What the person sees.
    let challenge: Challenge
    private let solution: Int

    init(_ challenge: Challenge, solution: Int) {
        self.challenge = challenge
        self.solution = solution
    }

    /// Numbers are strict (F-24): decimal digits with spaces or tabs around them, nothing else. A number that is not
    /// among the choices is a wrong answer; so is one too large for a machine.
    func verdict(on answer: String) -> Verdict {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let digits = answer.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return .notAnAnswer
        }
        return Int(String(decoding: digits, as: UTF8.self)) == solution ? .right : .wrong
    }
}

extension SealedChallenge: CustomStringConvertible, CustomReflectable {
    var description: String { "\(challenge)" }
    var customMirror: Mirror { Mirror(self, children: ["challenge": challenge]) }
}

/// A challenge that waits for its one answer.
struct OpenChallenge: Hashable, Sendable {
    /// What the requester shows, with the cookie and the deadline.
    let presentation: Presentation
    let sealed: SealedChallenge
    /// Who asked for it; nobody else may answer. Its user pays for a wrong answer (G-03).
    let requester: Peer

    init(_ presentation: Presentation, sealed: SealedChallenge, requester: Peer) {
        self.presentation = presentation
        self.sealed = sealed
        self.requester = requester
    }

    /// The same peer is the same connection: a second program of the same user is somebody else.
    func isRequested(by peer: Peer) -> Bool {
        requester.connection == peer.connection
    }

    /// For the journal.
    var name: String { "challenge \(presentation.id)" }
}

/// Why a cookie opens nothing.
enum CookieRefusal: Hashable, Sendable {
    /// Made up, or another peer's.
    case forged
    /// Its presentation is answered, dismissed, withdrawn or long gone.
    case closed
    /// Its presentation is still there, but its deadline has passed.
    case expired
}

extension Cookie {
    /// A cookie that nobody can guess: draws two numbers.
    init(presentation id: UInt64, using random: inout some RandomNumberGenerator) {
        let words = [id, random.next() as UInt64, random.next() as UInt64]
        self.init(bytes: words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } })
    }

    /// What its bytes say; believed only of a cookie that matches. `nil`: that is no cookie at all.
    var presentationID: UInt64? {
        guard bytes.count == Cookie.byteCount else { return nil }
        return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Compares in a time that does not depend on where the difference is.
    func matches(_ other: Cookie) -> Bool {
        guard bytes.count == other.bytes.count else { return false }
        return zip(bytes, other.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Why this cookie does not let `peer` answer `open` now; `nil` if it does.
    ///
    /// - Parameter next: the id that the next presentation will get; an id from there on was never given out.
    func refusal(for peer: Peer, at now: BootTime, open: OpenChallenge?, nextPresentation next: UInt64)
        -> CookieRefusal?
    {
        guard let id = presentationID, id > 0, id < next else { return .forged }
        guard let open, open.presentation.id == id else { return .closed }
        guard matches(open.presentation.cookie), open.isRequested(by: peer) else { return .forged }
        return now < open.presentation.deadline ? nil : .expired
    }
}
