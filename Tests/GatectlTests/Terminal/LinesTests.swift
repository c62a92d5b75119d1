import GateClient
import GateModel
import GateProtocol
import Testing

@testable import gatectl

private let now = BootTime(nanoseconds: 1_000_000_000_000)
private let parent = ModeState(mode: .parent, deadline: now.advanced(by: .seconds(899)))
private let verifying = ModeState(mode: .verifying, deadline: now.advanced(by: .seconds(60)))

private func message(_ number: UInt64, _ mode: ModeState?) -> StateUpdate {
    StateUpdate(firstNumber: number, revision: Revision(epoch: 3, number: number), mode: mode)
}

@Suite("Lines for people and for programs")
struct LinesTests {
    @Test("the line of a mode has its revision and its time left")
    func modeLine() {
        let revision = Revision(epoch: 3, number: 42)
        #expect(
            ModeLine(revision: revision, state: parent).text(now: now, colours: .none) == "rev 42  parent  14:59 left")
        #expect(ModeLine(revision: revision, state: .closed).text(now: now, colours: .none) == "rev 42  child")
    }

    @Test("each mode has a colour of its own (F-12)")
    func colours() {
        let painted = Mode.allCases.map { Colours(isOn: true).paint($0.rawValue, for: $0) }
        #expect(painted == ["\u{1b}[34mchild\u{1b}[0m", "\u{1b}[33mverifying\u{1b}[0m", "\u{1b}[1;35mparent\u{1b}[0m"])
        #expect(Colours.none.paint("parent", for: .parent) == "parent")
    }

    @Test("a watch for people prints changes, and the loss and return of the daemon")
    func humanWatch() throws {
        var lines = WatchLines(isJSON: false, colours: .none)
        let events: [WatchEvent] = [
            .snapshot(message(41, .closed)), .change(message(42, verifying)),
            .change(message(43, nil)), .change(message(44, parent)),
            .lost(GateError(.unavailable, .unspecified, "It is gone, see gate.sock. Is gated running?")),
            .resumed(message(44, parent)),
            .lost(GateError(.unavailable, .stopping, "The daemon is stopping")),
            .snapshot(message(50, .closed)),
        ]
        let text = try events.flatMap { try lines.lines(for: $0, now: now) }
        #expect(
            text == [
                "rev 41  child",
                "rev 42  verifying  1:00 left",
                "rev 44  parent  14:59 left",
                "lost the daemon: It is gone, see gate.sock; showing child",
                "connected again",
                "rev 44  parent  14:59 left",
                "lost the daemon: The daemon is stopping; showing child",
                "connected again",
                "rev 50  child",
            ])
    }

    @Test("a watch in JSON prints an object on each line, always with the mode in the same place")
    func jsonWatch() throws {
        var lines = WatchLines(isJSON: true, colours: .none)
        let state = ModeState(mode: .parent, deadline: BootTime(nanoseconds: 77))
        let events: [WatchEvent] = [
            .snapshot(message(44, state)), .change(message(45, nil)),
            .lost(GateError(.unavailable, .stopping, "Bye \"now\".")), .resumed(message(45, state)),
        ]
        let text = try events.flatMap { try lines.lines(for: $0, now: now) }
        let mode = #""mode":{"mode":"MODE_PARENT","deadlineBoottimeNanoseconds":"77"}"#
        #expect(
            text == [
                #"{"event":"snapshot","firstNumber":"44","revision":{"epoch":"3","number":"44"},"isSnapshot":true,"#
                    + mode + "}",
                #"{"event":"change","firstNumber":"45","revision":{"epoch":"3","number":"45"},"isSnapshot":false}"#,
                #"{"event":"lost","mode":{"mode":"MODE_CHILD","deadlineBoottimeNanoseconds":"0"},"#
                    + #""error":{"code":"UNAVAILABLE","reason":"REASON_STOPPING","message":"Bye \"now\"."}}"#,
                #"{"event":"resumed","firstNumber":"45","revision":{"epoch":"3","number":"45"},"isSnapshot":true,"#
                    + mode + "}",
            ])
    }

    @Test("an error for programs has code, reason and message, and when to try again")
    func jsonError() {
        let wrong = GateError(.failedPrecondition, .wrongAnswer, "That is wrong.")
        #expect(
            JSONText.object(of: wrong)
                == #"{"error":{"code":"FAILED_PRECONDITION","reason":"REASON_WRONG_ANSWER","message":"That is wrong."}}"#
        )
        let locked = GateError(.resourceExhausted, .lockedOut, "Wait.", retryAfter: .seconds(30))
        #expect(JSONText.object(of: locked).hasSuffix(#""message":"Wait.","retryAfterMilliseconds":"30000"}}"#))
    }

    @Test("text in JSON is escaped")
    func jsonText() {
        #expect(JSONString.quoted("a\"b\\c\n\t\r\u{1}é😀") == #""a\"b\\c\n\t\r\u0001é😀""#)
        #expect(JSONText.adding("event", "x", to: "{}") == #"{"event":"x"}"#)
    }

    @Test("reasons and codes have the protocol's names")
    func names() {
        #expect(JSONText.name(of: GateError.Reason.unspecified) == "REASON_UNSPECIFIED")
        #expect(JSONText.name(of: GateError.Reason.noPresenter) == "REASON_NO_PRESENTER")
        #expect(JSONText.name(of: GateError.Code.internal) == "INTERNAL")
        #expect(JSONText.name(of: GateError.Code.resourceExhausted) == "RESOURCE_EXHAUSTED")
    }

    @Test("a journal entry's line has time, kind, actor and outcome")
    func auditLine() {
        let entry = AuditEntry(
            number: 12, time: WallTime(unixMilliseconds: 1_767_225_600_123), kind: .answeredWrong,
            actor: AuditEntry.Actor(uid: 1000, pid: 4242), mode: .child, detail: "")
        #expect(
            AuditLine(entry: entry).text(colours: .none)
                == "2026-01-01T00:00:00.123Z  rev 12  answered wrong  uid 1000 pid 4242  child")
        var own = entry
        own.actor = nil
        own.kind = .leaseExpired
        own.detail = "a\u{1b}[2Jb"
        #expect(
            AuditLine(entry: own).text(colours: .none)
                == "2026-01-01T00:00:00.123Z  rev 12  lease expired  gated  child  a<U+001B>[2Jb")
    }

    @Test(
        "times are printed in UTC with the calendar's date",
        arguments: [
            (Int64(0), "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_102_444_799_999, "2099-12-31T23:59:59.999Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (.max, "9223372036854775807ms"),
        ])
    func utc(milliseconds: Int64, text: String) {
        #expect(WallTime(unixMilliseconds: milliseconds).utcText == text)
    }
}
