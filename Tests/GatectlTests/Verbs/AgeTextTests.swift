import GateClient
import GateModel
import GateTexts
import Testing

@testable import gatectl

@Suite("Age ranges, in words (Y-01, Y-02)")
struct AgeTextTests {
    @Test("a range is said by its bounds, which both belong to it")
    func ranges() {
        func words(_ low: Int?, _ high: Int?) -> String {
            AgeWords.range(AgeRange(low: low, high: high, source: .guardian))
        }
        #expect(words(13, 15) == "13 to 15")
        #expect(words(nil, 12) == "12 or younger")
        #expect(words(18, nil) == "18 or older")
        #expect(AgeWords.range(nil) == "nothing is told")
    }

    @Test("the settings are said as the ranges that there can be")
    func settings() {
        #expect(
            AgeWords.settings(AgeSettings(isOn: true))
                == "apps can be told: 12 or younger, 13 to 15, 16 to 17, 18 or older")
        #expect(
            AgeWords.settings(AgeSettings(isOn: true, gates: [16])) == "apps can be told: 15 or younger, 16 or older")
        #expect(AgeWords.settings(AgeSettings(isOn: false, gates: [16])) == "apps are told no ages")
    }

    @Test("each choice has words of its own, and an app that waits says so")
    func choices() {
        let apps =
            AgeChoice.allCases.map { AgeApp(person: "mia", app: "chat", choice: $0, isWaiting: false) }
            + [AgeApp(person: "mia", app: "chat", choice: .ask, isWaiting: true)]
        let words = apps.map { AgeWords.choice($0) }
        #expect(Set(words).count == AgeChoice.allCases.count + 1)
        #expect(words.last == "waits for an answer")
    }

    @Test("the name that an app gives itself stays on its line")
    func foreignName() {
        let app = AgeApp(person: "mia", app: "a\u{1B}[2J\nb", choice: .always, isWaiting: false)
        #expect(!app.columns.joined().contains { "\u{1B}\n".contains($0) })
    }

    private let now = BootTime(nanoseconds: 0)

    @Test("a watch prints the settings, and the apps that wait; programs get both without the daemon too")
    func watch() throws {
        func update(_ number: UInt64, _ waiting: [AgeApp]) -> StateUpdate {
            StateUpdate(
                firstNumber: number, revision: Revision(epoch: 3, number: number),
                ageRanges: AgeState(settings: AgeSettings(isOn: true, gates: [16]), waiting: waiting))
        }
        let chat = AgeApp(person: "mia", app: "chat", choice: .ask, isWaiting: true)
        let events: [WatchEvent] = [
            .snapshot(update(1, [])), .change(update(2, [chat])),
            .lost(GateError(.unavailable, .stopping, "The daemon is stopping")),
        ]
        var lines = WatchLines(isJSON: false, colours: .none, topics: [.ageRanges])
        #expect(
            try events.flatMap { try lines.lines(for: $0, now: now) } == [
                "rev 1  apps can be told: 15 or younger, 16 or older",
                "rev 2  apps can be told: 15 or younger, 16 or older", "rev 2  mia, chat, waits for an answer",
                "lost the daemon: The daemon is stopping",
            ])
        var objects = WatchLines(isJSON: true, colours: .none, topics: [.ageRanges])
        #expect(
            try objects.lines(for: events[1], now: now) == [
                #"{"event":"change","firstNumber":"2","revision":{"epoch":"3","number":"2"},"isSnapshot":false,"#
                    + #""age":{"isOn":true,"gates":[16],"waiting":[{"person":"mia","app":"chat","#
                    + #""choice":"AGE_CHOICE_ASK","isWaiting":true}]}}"#
            ])
        let gone = try objects.lines(for: events[2], now: now).first
        #expect(gone?.contains(#""age":{"isOn":false,"gates":[],"waiting":[]}"#) == true)
    }
}
