import GateModel
import GateScreens
import Testing

@Suite("The time limits that a grown-up chooses for an app alone")
struct AppTimesTests {
    private static let passcode = Requirement.challenge(ChallengeRule(.passcode))

    private static func everyDay(_ name: String, minutes: Int) -> Allowance {
        Allowance(name, secondsOfDays: Array(repeating: minutes * 60, count: 7))
    }

    private static func hours(_ weekdays: Schedule.Span?, _ weekend: Schedule.Span?) -> Schedule {
        let (weekdays, weekend) = ([weekdays].compactMap(\.self), [weekend].compactMap(\.self))
        return Schedule("chess", days: Array(repeating: weekdays, count: 5) + [weekend, weekend])
    }

    private static func gate(_ name: String, _ requirement: Requirement) -> GateFacts {
        let summary = GatedActionSummary(
            name: name, title: LocalizedText("Chess"), requirement: "as the daemon says it", keep: nil)
        return GateFacts(
            summary, outlook: nil, rule: GateRule(gatedAction: summary, strength: nil, requirement: requirement))
    }

    private static func dialog(_ gates: [GateFacts] = [], name: String = "chess") -> SettingsDialog {
        var facts = SettingsFacts()
        facts.gates = .known(gates)
        return .app(AppDialog(AppFacts(name, action: "app.chess", title: "Chess"), in: facts))
    }

    private static func change(
        _ dialog: SettingsDialog, _ limit: String, question: String = "passcode",
        hours: (weekdays: String, weekend: String) = ("", "")
    ) throws -> ChosenGate {
        let request = try dialog.request(
            .init(texts: [
                .question: question, .limit: limit, .weekdays: hours.weekdays, .weekend: hours.weekend,
            ]))
        let change: ChosenGate? = if case .changeGate(let change) = request { change } else { nil }
        return try #require(change)
    }

    @Test("an amount of time becomes an allowance of the app's name, which is set before the gate that needs it")
    func amounts() throws {
        for (choice, amount) in [("15", "15m"), ("30", "30m"), ("60", "1h"), ("120", "2h")] {
            // All entries of a guarded package share the name of the one that guards it.
            let change = try Self.change(Self.dialog(name: "chess-editor"), choice)
            #expect(change.gatedAction == "app.chess")
            #expect(
                change.requires == #"{any: [{mode: parent}, {all: [{allowance: "chess"}, {challenge: passcode}]}]}"#)
            #expect(change.time?.kind == .allowance && change.time?.name == "chess")
            #expect(change.time?.notation == "{mon-sun: \(amount)}")
            #expect(change.time?.checkable == "{any: [{mode: parent}, {challenge: passcode}]}")
        }
        let free = try Self.change(Self.dialog(), "60", question: "nobody")
        #expect(free.requires == #"{any: [{mode: parent}, {allowance: "chess"}]}"#)
        #expect(free.time?.checkable == "{mode: parent}")
    }

    @Test("a name that another gate needs is left alone, and the app's own time is changed")
    func names() throws {
        let other = Self.gate("game.play", .allowance(Self.everyDay("chess", minutes: 60)))
        let change = try Self.change(Self.dialog([other]), "60")
        #expect(change.time?.name == "app.chess")
        #expect(change.requires?.contains(#"{allowance: "app.chess"}"#) == true)
        let own = Self.gate(
            "app.chess", .any([.parentMode, .all([.allowance(Self.everyDay("chess", minutes: 60)), Self.passcode])]))
        let dialog = Self.dialog([own])
        #expect(dialog.initial() == [.question: "passcode", .limit: "60"])
        #expect(try Self.change(dialog, "60").time == nil)
        #expect(try Self.change(dialog, "30").time?.notation == "{mon-sun: 30m}")
    }

    @Test(
        "hours are read as people write them",
        arguments: [
            ("15:00–19:00", "", "{mon-fri: 15:00-19:00}"), (" 15 - 19 ", "", "{mon-fri: 15:00-19:00}"),
            ("15.30-19", "9:00 — 20:00", "{mon-fri: 15:30-19:00, sat-sun: 9:00-20:00}"),
            ("", "0-24", "{sat-sun: 0:00-24:00}"), ("20:00-1:00", "", "{mon-fri: 20:00-1:00}"),
            ("9-12", "9-12", "{mon-sun: 9:00-12:00}"),
        ])
    func hours(weekdays: String, weekend: String, notation: String) throws {
        let change = try Self.change(Self.dialog(), "hours", hours: (weekdays, weekend))
        #expect(change.time?.kind == .schedule && change.time?.name == "chess")
        #expect(change.time?.notation == notation)
        #expect(
            change.requires == #"{any: [{mode: parent}, {all: [{during: "chess"}, {challenge: passcode}]}]}"#)
    }

    @Test(
        "hours that are none are refused",
        arguments: [
            ("", ""), (" ", ""), ("15", ""), ("15-", ""), ("-19", ""), ("15-19-20", ""), ("15-15", ""), ("24-1", ""),
            ("15:60-19", ""), ("25-26", ""), ("24:30-25", ""), ("fifteen-nineteen", ""), ("15-19", "x"), ("+15-19", ""),
            ("15:0:0-19", ""),
        ])
    func noHours(weekdays: String, weekend: String) {
        do throws(SettingsDialog.Mistake) {
            _ = try Self.dialog().request(
                .init(texts: [.question: "passcode", .limit: "hours", .weekdays: weekdays, .weekend: weekend]))
            Issue.record("nothing was refused")
        } catch {
            #expect(error.text == "Write the hours like 15:00–19:00.")
        }
    }

    @Test(
        "hours of the app's own fill the fields, which only that choice shows; left as they are, nothing is set"
    )
    func ownHours() throws {
        let dialog = Self.dialog()
        for key in [SettingsDialog.Key.weekdays, .weekend] {
            #expect(
                !dialog.shows(key, .init(texts: [.limit: "60"])) && dialog.shows(key, .init(texts: [.limit: "hours"])))
        }
        #expect(dialog.shows(.question, .init()) && dialog.shows(.limit, .init()))
        for (schedule, texts) in [
            (Self.hours(.init(900, 1140), nil), ("15:00–19:00", "")),
            (Self.hours(nil, .init(540, 1200)), ("", "9:00–20:00")),
            (Self.hours(.init(1200, 1500), .init(0, 1440)), ("20:00–1:00", "0:00–24:00")),
        ] {
            let own = Self.dialog([
                Self.gate("app.chess", .any([.parentMode, .all([.during(schedule), Self.passcode])]))
            ])
            let initial = own.initial()
            #expect(
                initial == [.question: "passcode", .limit: "hours", .weekdays: texts.0, .weekend: texts.1],
                "\(schedule)")
            #expect(try Self.change(own, "hours", hours: texts).time == nil)
        }
        // More than two fields can say stays as it is, as one of the choices.
        let long = Schedule("chess", days: [[.init(540, 600)]] + Array(repeating: [], count: 6))
        let own = Self.dialog([Self.gate("app.chess", .any([.parentMode, .during(long)]))])
        #expect(own.initial() == [.question: "nobody", .limit: "schedule chess"])
    }

    @Test("what the daemon has checked without the time is told with it, and no odds are told of what is not asked")
    func completed() throws {
        let allowance = Self.everyDay("chess", minutes: 60)
        let strength = GateStrength(guessedPerMillion: 0, programPasses: false, isWithoutQuestion: false)
        var checked = Self.gate("app.chess", .any([.parentMode, Self.passcode])).rule
        checked?.strength = strength
        let answer = ChangedGate(before: nil, after: checked, revision: nil)
        let asked = try #require(try Self.change(Self.dialog(), "60").time?.completed(answer))
        #expect(asked.after?.requirement == .any([.parentMode, .all([.allowance(allowance), Self.passcode])]))
        #expect(asked.after?.strength == strength)
        let free = try #require(try Self.change(Self.dialog(), "60", question: "nobody").time?.completed(answer))
        #expect(free.after?.requirement == .any([.parentMode, .allowance(allowance)]))
        #expect(free.after?.strength == nil)
    }
}
