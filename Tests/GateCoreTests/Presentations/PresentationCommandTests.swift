import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Questions, answers and their cookies")
struct PresentationCommandTests {
    @Test("a wrong answer is told, counted, and closes the question (F-07)")
    func wrongAnswer() throws {
        var device = Device()
        let transition = try device.answerWrong(device.ask(as: .anna), as: .anna)
        #expect(transition.reply == .refused(GateError(.failedPrecondition, .wrongAnswer, "Wrong answer.")))
        #expect(transition.isChange && transition.audit.map(\.kind) == [.answeredWrong])
        #expect(device.mode == .child && device.shown(to: .anna) == nil)
    }

    @Test("a second answer to the same question finds it closed, right or wrong (F-08)")
    func secondAnswer() throws {
        var device = Device()
        let first = try device.ask(as: .anna)
        try device.answerWrong(first, as: .anna)
        device.refuses(.complete(first.cookie, .text(first.question.solution)), as: .anna, .aborted, .closed)
        let second = try device.ask(as: .anna)
        try device.answerRight(second, as: .anna)
        for command in [Command.complete(second.cookie, .text("0")), .dismiss(second.cookie)] {
            device.refuses(command, as: .anna, .aborted, .closed)
        }
        #expect(device.mode == .parent)
    }

    @Test("an old cookie opens nothing while a new question is open")
    func staleCookie() throws {
        var device = Device()
        let first = try device.ask(as: .anna)
        try device.apply(.dismiss(first.cookie), as: .anna)
        let second = try device.ask(as: .anna)
        device.refuses(.complete(first.cookie, .text(second.question.solution)), as: .anna, .aborted, .closed)
        device.refuses(.dismiss(first.cookie), as: .anna, .aborted, .closed)
    }

    @Test("a cookie with wrong bytes, a wrong length or an unknown id is refused")
    func forgedCookies() throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        let bytes = question.cookie.bytes
        var forged: [[UInt8]] = [[], Array(bytes.dropLast()), bytes + [0], Array(repeating: 0, count: 24)]
        for index in 8..<24 {
            forged.append(bytes)
            forged[forged.count - 1][index] ^= 1
        }
        forged.append(Array(repeating: 255, count: 24))
        forged.append([0, 0, 0, 0, 0, 0, 0, 2] + bytes.dropFirst(8))
        for bytes in forged {
            for command in [
                Command.complete(PresentationCookie(bytes: bytes), .text(question.question.solution)),
                .dismiss(PresentationCookie(bytes: bytes)),
            ] {
                device.refuses(command, as: .anna, .permissionDenied, .wrongCookie)
            }
        }
        try device.answerRight(question, as: .anna)
        #expect(device.mode == .parent)
    }

    @Test("a cookie with an unknown id is refused as forged, even if nothing is open")
    func forgedWithNothingOpen() {
        var device = Device()
        let cookie = PresentationCookie(bytes: [0, 0, 0, 0, 0, 0, 0, 1] + Array(repeating: 9, count: 16))
        device.refuses(.dismiss(cookie), as: .anna, .permissionDenied, .wrongCookie)
    }

    @Test(
        "the right cookie from another connection is refused, also of the same user",
        arguments: [Peer.annasOther, .ben])
    func otherConnection(peer: Peer) throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        device.refuses(
            .complete(question.cookie, .text(question.question.solution)), as: peer, .permissionDenied, .wrongCookie)
        device.refuses(.dismiss(question.cookie), as: peer, .permissionDenied, .wrongCookie)
    }

    @Test(
        "a text that is no number leaves the question open and is not counted (F-24)",
        arguments: ["", "90x", "a", "-1"])
    func noAnswer(text: String) throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        device.refuses(.complete(question.cookie, .text(text)), as: .anna, .invalidArgument, .invalidRequest)
        try device.answerRight(question, as: .anna)
        #expect(device.mode == .parent)
    }

    @Test("an answer before the deadline counts; at the deadline it is too late")
    func answerAtTheDeadline() throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        device.now = BootTime(nanoseconds: question.deadline.nanoseconds - 1)
        var inTime = device
        try inTime.answerRight(question, as: .anna)
        #expect(inTime.mode == .parent)

        device.now = question.deadline
        let answer = Command.complete(question.cookie, .text(question.question.solution))
        device.refuses(answer, as: .anna, .deadlineExceeded, .expired)
        device.refuses(.dismiss(question.cookie), as: .anna, .deadlineExceeded, .expired)
        // Once the timer has removed the question, it is closed.
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.kinds().last == .expired && device.mode == .child)
        device.refuses(answer, as: .anna, .aborted, .closed)
    }

    @Test("a question for more time ends with the lease, and an answer then is too late")
    func extensionAtTheEndOfTheLease() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        try device.turn(by: .seconds(890))
        let question = try device.askForMore(as: .anna)
        #expect(question.deadline == .seconds(1900))
        try device.turn(by: .seconds(9))
        #expect(device.mode == .parent)
        device.now = .seconds(1900)
        device.refuses(
            .complete(question.cookie, .text(question.question.solution)), as: .anna, .deadlineExceeded, .expired)
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.kinds().suffix(2) == [.withdrawn, .leaseExpired] && device.mode == .child)
        #expect(device.lockout(of: .anna) == nil)
    }

    @Test("an answer for a lease that an administrator has shortened comes to nothing")
    func leaseShortenedUnderTheQuestion() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        let question = try device.askForMore(as: .anna)
        try device.apply(.extend(.seconds(5), presenting: .elsewhere), as: .root)
        device.now = device.now.advanced(by: .seconds(5))
        device.refuses(
            .complete(question.cookie, .text(question.question.solution)), as: .anna, .aborted, .closed)
        device.refuses(.dismiss(question.cookie), as: .anna, .aborted, .closed)
    }

    @Test("when a requester leaves its question is closed; another one's departure changes nothing")
    func requesterLost() throws {
        var device = Device()
        _ = try device.ask(as: .anna)
        device.changesNothing(.peerDisconnected, as: .annasOther)
        let lost = try device.apply(.peerDisconnected, as: .anna)
        #expect(lost.audit.map(\.kind) == [.requesterLost] && device.mode == .child)
        device.changesNothing(.peerDisconnected, as: .anna)
    }

    @Test("when a requester leaves while asking for more time, the lease stays as it was")
    func requesterLostInParentMode() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        let lease = device.state.modeState
        _ = try device.askForMore(as: .anna)
        try device.apply(.peerDisconnected, as: .anna)
        #expect(device.state.modeState == lease && device.shown(to: .anna) == nil)
        device.changesNothing(.peerDisconnected, as: .anna)
    }

    @Test("a dismissal leads back to where the question was asked")
    func dismiss() throws {
        var device = Device()
        #expect(try device.apply(.dismiss(device.ask(as: .anna).cookie), as: .anna).reply == .done)
        #expect(device.mode == .child)
        try device.enterParentMode(as: .anna)
        try device.apply(.dismiss(device.askForMore(as: .anna).cookie), as: .anna)
        #expect(device.mode == .parent)
    }

    @Test("neither journal nor refusal ever holds an answer, a solution or a cookie")
    func nothingSecretIsTold() throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        try device.apply(.complete(question.cookie, .text("4711")), as: .anna)
        for entry in device.journal {
            #expect(!entry.detail.contains("4711") && !entry.detail.contains(question.question.solution))
        }
        #expect("\(question.cookie)" == "(cookie)")
    }
}
