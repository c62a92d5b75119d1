import GateModel
import Testing

@testable import GateHousehold

@Suite("Inviting and joining, message by message (H-01)")
struct JoinMachineTests {
    private var household: FoundedHousehold
    private let seed = JoinSeed()
    private let code: JoinCode
    private var invitation: InvitationStateMachine
    private let start = BootTime(nanoseconds: 1_000_000_000)

    init() throws {
        household = try FoundedHousehold()
        code = try household.code(seed)
        invitation = InvitationStateMachine(code, seed, now: start)
    }

    private var last: BootTime { start.advanced(by: JoinCode.life - .nanoseconds(1)) }

    private func newcomer(_ code: JoinCode? = nil) throws -> (HouseholdMembership, NewcomerStateMachine) {
        let membership = try FoundedHousehold.newcomer()
        return (membership, NewcomerStateMachine(code ?? self.code, membership.request))
    }

    @Test("a newcomer with the code is decided on, admitted, and confirms")
    mutating func whole() throws {
        var (membership, newcomer) = try newcomer()
        #expect(newcomer.receipt == nil)
        #expect(invitation.messageArrived(newcomer.request, at: last) == .decide(membership.request))
        let admission = try household.admit(membership)
        let decided = invitation.decided(.admitted(admission))
        let answer = try #require(decided)
        #expect(newcomer.messageArrived(answer) == .admitted(admission))
        #expect(newcomer.messageArrived(answer) == .dropped)
        #expect(invitation.messageArrived(try #require(newcomer.receipt), at: last) == .joined)
        #expect(invitation.messageArrived(newcomer.request, at: last) == .dropped)
    }

    @Test("a repeated request gets the same answer, and nobody is admitted twice")
    mutating func again() throws {
        let (membership, newcomer) = try newcomer()
        _ = invitation.messageArrived(newcomer.request, at: start)
        #expect(invitation.messageArrived(newcomer.request, at: start) == .dropped)
        let answer = try #require(invitation.decided(.admitted(try household.admit(membership))))
        // It works even after ten minutes, because the code was used in time.
        #expect(invitation.messageArrived(newcomer.request, at: last.advanced(by: .seconds(30))) == .answer(answer))
    }

    @Test("a used code is refused to a second device, before and after the answer")
    mutating func used() throws {
        let (membership, first) = try newcomer()
        var (_, second) = try newcomer()
        var (_, third) = try newcomer()
        _ = invitation.messageArrived(first.request, at: start)
        guard case .answer(let early) = invitation.messageArrived(second.request, at: start) else {
            Issue.record("no answer")
            return
        }
        #expect(second.messageArrived(early) == .refused(.used))
        _ = invitation.decided(.admitted(try household.admit(membership)))
        guard case .answer(let late) = invitation.messageArrived(third.request, at: start) else {
            Issue.record("no answer")
            return
        }
        #expect(third.messageArrived(late) == .refused(.used))
    }

    @Test("a code is good for ten minutes, and not a moment longer")
    mutating func late() throws {
        let (_, newcomer) = try newcomer()
        #expect(invitation.messageArrived(newcomer.request, at: start.advanced(by: JoinCode.life)) == .dropped)
        invitation.deadlineReached()
        #expect(invitation.messageArrived(newcomer.request, at: start) == .dropped)
        #expect(invitation.decided(.refused(.full)) == nil)
    }

    @Test("a request with another code of the same household is ignored")
    mutating func wrongCode() throws {
        let (_, other) = try newcomer(try household.code())
        #expect(invitation.messageArrived(other.request, at: start) == .dropped)
        var (_, newcomer) = try newcomer()
        let othersSeed = JoinSeed()
        var others = InvitationStateMachine(try household.code(othersSeed), othersSeed, now: start)
        _ = others.messageArrived(other.request, at: start)
        #expect(newcomer.messageArrived(other.request) == .dropped)
    }

    @Test("a request or an answer with any one byte changed, cut or longer is not heard")
    mutating func changed() throws {
        let (membership, newcomer) = try newcomer()
        for bytes in Self.changes(of: newcomer.request) {
            #expect(invitation.messageArrived(bytes, at: start) == .dropped)
        }
        _ = invitation.messageArrived(newcomer.request, at: start)
        let answer = try #require(invitation.decided(.admitted(try household.admit(membership))))
        for bytes in Self.changes(of: answer) {
            var fresh = newcomer
            #expect(fresh.messageArrived(bytes) == .dropped)
        }
        var heard = newcomer
        _ = heard.messageArrived(answer)
        let receipt = try #require(heard.receipt)
        for bytes in Self.changes(of: receipt) {
            #expect(invitation.messageArrived(bytes, at: start) == .dropped)
        }
    }

    @Test("answers to other requests, requests sent as answers, and early receipts are ignored")
    mutating func replayed() throws {
        let (membership, first) = try newcomer()
        var (_, second) = try newcomer()
        _ = invitation.messageArrived(first.request, at: start)
        let answer = try #require(invitation.decided(.admitted(try household.admit(membership))))
        #expect(second.messageArrived(answer) == .dropped)
        #expect(second.messageArrived(first.request) == .dropped)
        #expect(second.messageArrived(second.request) == .dropped)
        #expect(invitation.messageArrived(answer, at: start) == .dropped)
        // A receipt of another answer.
        let seal = JoinSeal(code)
        #expect(invitation.messageArrived(seal.seal([], as: .receipt, answering: [1]), at: start) == .dropped)
        var fresh = InvitationStateMachine(code, seed, now: start)
        #expect(fresh.messageArrived(seal.seal([], as: .receipt), at: start) == .dropped)
    }

    @Test("after a refusal for another reason the code can be used again")
    mutating func refused() throws {
        var (_, first) = try newcomer()
        _ = invitation.messageArrived(first.request, at: start)
        let decided = invitation.decided(.refused(.listed))
        let refusal = try #require(decided)
        #expect(first.messageArrived(refusal) == .refused(.listed))
        let (membership, second) = try newcomer()
        #expect(invitation.messageArrived(second.request, at: start) == .decide(membership.request))
    }

    @Test("while a person decides both devices show the same number, also if the newcomer asks again")
    mutating func asked() throws {
        let (membership, new) = try newcomer()
        var newcomer = new
        var (_, second) = try self.newcomer()
        _ = invitation.messageArrived(newcomer.request, at: start)
        let said = invitation.asked()
        let asking = try #require(said)
        let number = CheckNumber(membership.request, seed)
        #expect(number.text.count == 7 && number.text.allSatisfy { $0.isNumber || $0 == " " })
        #expect(newcomer.messageArrived(asking) == .asking(number))
        #expect(invitation.messageArrived(newcomer.request, at: last) == .answer(asking))
        #expect(newcomer.messageArrived(asking) == .asking(number))
        #expect(newcomer.receipt == nil, "it is no member yet")
        guard case .answer(let used) = invitation.messageArrived(second.request, at: last) else {
            Issue.record("no answer")
            return
        }
        #expect(second.messageArrived(used) == .refused(.used))
        let admission = try household.admit(membership)
        let decided = invitation.decided(.admitted(admission))
        #expect(newcomer.messageArrived(try #require(decided)) == .admitted(admission))
        #expect(invitation.messageArrived(try #require(newcomer.receipt), at: last) == .joined)
    }

    @Test("a declined newcomer is told, and the code is used up")
    mutating func declined() throws {
        var (_, newcomer) = try newcomer()
        _ = invitation.messageArrived(newcomer.request, at: start)
        _ = invitation.asked()
        let refusal = invitation.decided(.refused(.declined))
        #expect(newcomer.messageArrived(try #require(refusal)) == .refused(.declined))
        #expect(invitation.isOver)
        let (_, second) = try self.newcomer()
        #expect(invitation.messageArrived(second.request, at: start) == .dropped)
    }

    @Test("a man in the middle who has the code can't make both numbers equal")
    mutating func between() throws {
        let (victim, new) = try newcomer()
        var newcomer = new
        let (_, thief) = try self.newcomer()
        // The thief's request goes to the inviting device, and its answer to the newcomer, sealed anew with the code.
        _ = invitation.messageArrived(thief.request, at: start)
        let asking = invitation.asked()
        #expect(asking != nil)
        let seal = JoinSeal(code)
        func told(_ seed: [UInt8]) -> NewcomerStateMachine.Result {
            newcomer.messageArrived(
                seal.seal(JoinAnswer.asking(seed: seed).bytes, as: .answer, answering: newcomer.request))
        }
        // No other seed is accepted, and the true one gives another number, except in one case in a million.
        for _ in 0..<50 { #expect(told(JoinSeed().bytes) == .dropped) }
        var other = newcomer
        #expect(
            other.messageArrived(
                seal.seal(JoinAnswer.asking(seed: []).bytes, as: .answer, answering: newcomer.request)) == .unreadable)
        guard case .asking(let number) = told(seed.bytes) else { return }
        #expect(number == CheckNumber(victim.request, seed))
        let numbers = Set(
            try (0..<200).map { _ in CheckNumber(try FoundedHousehold.newcomer().request, seed).text })
        #expect(numbers.count > 190)
    }

    @Test("a sealed text that is malformed is answered as such, and does not use up the code")
    mutating func malformed() throws {
        let seal = JoinSeal(code)
        for text in ["", "{}", #"{"version":2}"#, "[]", String(repeating: "[", count: 4000)] {
            let sealed = seal.seal(Array(text.utf8), as: .request)
            guard case .answer(let answer) = invitation.messageArrived(sealed, at: start) else {
                Issue.record("no answer to \(text.prefix(20))")
                continue
            }
            #expect(seal.open(answer, as: .answer, answering: sealed).flatMap(JoinAnswer.init) == .refused(.malformed))
            var (_, newcomer) = try newcomer()
            #expect(
                newcomer.messageArrived(seal.seal(Array(text.utf8), as: .answer, answering: newcomer.request))
                    == .unreadable)
        }
        let (membership, newcomer) = try newcomer()
        #expect(invitation.messageArrived(newcomer.request, at: start) == .decide(membership.request))
    }

    @Test("a message that is too long is not opened")
    mutating func long() throws {
        let seal = JoinSeal(code)
        let long = [UInt8](repeating: 0x20, count: JoinSeal.requestByteCount)
        #expect(invitation.messageArrived(seal.seal(long, as: .request), at: start) == .dropped)
        var (_, newcomer) = try newcomer()
        let longer = [UInt8](repeating: 0x20, count: JoinSeal.answerByteCount)
        #expect(newcomer.messageArrived(seal.seal(longer, as: .answer, answering: newcomer.request)) == .dropped)
    }

    @Test(
        "a request needs a one-line name and complete keys",
        arguments: ["", " a", "a ", "a\nb", "a\u{202E}b", String(repeating: "a", count: 65)])
    func names(name: String) throws {
        let request = try FoundedHousehold.newcomer().request
        var changed = request
        changed.name = name
        #expect(JoinRequest(changed.bytes) == nil)
        changed = request
        changed.keys.signing.removeLast()
        #expect(JoinRequest(changed.bytes) == nil)
        changed = request
        changed.keys.sealing = []
        #expect(JoinRequest(changed.bytes) == nil)
        changed = request
        changed.nonce = []
        #expect(JoinRequest(changed.bytes) == nil)
        #expect(JoinRequest(request.bytes) == request)
    }

    private static func changes(of bytes: [UInt8]) -> [[UInt8]] {
        let places = Array(0..<min(40, bytes.count)) + stride(from: 40, to: bytes.count, by: 97) + [bytes.count - 1]
        return places.map { place in
            var changed = bytes
            changed[place] ^= 1
            return changed
        } + [[], Array(bytes.dropLast()), bytes + [0], Array(bytes.prefix(20))]
    }
}
