import GateModel
import Testing

@testable import GatePolicy

@Suite("Schedules in policies (Z-01)")
struct SchedulePolicyTests {
    private func schedule(_ days: String) throws -> Schedule {
        let text = "schedules: {s: \(days)}\ngated-actions: {a: {requires: {during: s}}}\n"
        let requirement = try PolicyReader.read(text).configuration.gatedActions["a"]?.requirement
        guard case .during(let schedule)? = requirement else { throw PolicyError(problems: []) }
        return schedule
    }

    private func text(_ days: String) throws -> String { Requirement.during(try schedule(days)).text }

    @Test("weekdays are ranges and lists, a day may have several spans, and a span may end on the next day")
    func days() throws {
        #expect(
            try schedule("{mon-fri: 15:00-19:00, sat-sun: 9:00-20:00}").days
                == Array(repeating: [Schedule.Span(900, 1140)], count: 5)
                + Array(repeating: [Schedule.Span(540, 1200)], count: 2))
        #expect(
            try schedule("{\"mon, wed\": [14:00-18:00, 09:00-12:00], fri: 20:00-1:00}").days
                == [
                    [.init(540, 720), .init(840, 1080)], [], [.init(540, 720), .init(840, 1080)], [],
                    [.init(1200, 1500)], [], [],
                ])
        #expect(
            try schedule("{fri-mon: 0:00-24:00}").days.map(\.isEmpty) == [false, true, true, true, false, false, false])
        #expect(try schedule("{tue thu: 20:00-0:00}").days[1] == [Schedule.Span(1200, 1440)])
    }

    @Test("the condition is told in words")
    func words() throws {
        #expect(
            try text("{mon-fri: 15:00-19:00, sat-sun: 9:00-20:00}")
                == "during s (Monday to Friday 15:00–19:00; Saturday, Sunday 9:00–20:00)")
        #expect(
            try text("{mon: [9:00-12:00, 14:00-18:00], wed: [9:00-12:00, 14:00-18:00], fri: 20:00-1:00}")
                == "during s (Monday, Wednesday 9:00–12:00, 14:00–18:00; Friday 20:00–1:00)")
        #expect(try text("{mon-sun: 0:00-24:00}") == "during s (Monday to Sunday 0:00–24:00)")
        let policy = try PolicyReader.read(
            "schedules: {s: {mon: 9:00-10:00}}\ngated-actions: {a: {requires: {all: [{during: s}, {mode: parent}]}}}")
        #expect(
            policy.configuration.policyLines.last
                == "gated action a (a): during s (Monday 9:00–10:00) and parent mode")
    }

    @Test("what is written is read as the same again")
    func notation() throws {
        let requirement = Requirement.any([.during(Schedule("after-school")), .parentMode])
        #expect(try PolicyReader.requirement(requirement.notation) == requirement)
        #expect(try PolicyReader.requirement("{during: after-school}") == .during(Schedule("after-school")))
    }

    @Test("a schedule of a later layer replaces one of an earlier layer as a whole, wherever its gate is written")
    func layers() throws {
        let shipped = """
            schedules: {s: {mon: 9:00-10:00, tue: 9:00-10:00}, t: {sun: 9:00-10:00}}
            gated-actions: {a: {requires: {during: s}}, b: {requires: {during: t}}}
            """
        let policy = try PolicyReader.read(
            [PolicySource(name: "policy.yaml", text: "schedules: {s: {fri: 20:00-21:00}}")], household: nil,
            choices: ["c": "{requires: {during: t}}", "d": "{requires: {during: gone}}"],
            shipped: [PolicySource(name: "shipped.yaml", text: shipped)])
        let text = policy.configuration.gatedActions.mapValues(\.requirement.text)
        #expect(text["a"] == "during s (Friday 20:00–21:00)")
        #expect(text["b"] == "during t (Sunday 9:00–10:00)" && text["c"] == text["b"])
        // A choice that doesn't fit any more denies its action.
        #expect(text["d"] == nil && policy.broken.map(\.gatedActions) == [["d"]])
        #expect(policy.broken[0].problems[0].message == "'gone' is no schedule. There are: s, t.")
    }

    @Test("a gate whose schedule was in a file that is left out stays closed")
    func leftOut() throws {
        let policy = try PolicyReader.read(
            [PolicySource(name: "policy.yaml", text: "gated-actions: {a: {requires: {during: s}}}")], household: nil,
            shipped: [PolicySource(name: "shipped.yaml", text: "schedules: {s: {mon: 9:00-10:00}}\nmode: {lease: x}")])
        #expect(policy.configuration.gatedActions["a"]?.requirement == .during(Schedule("s")))
        #expect(policy.configuration.gatedActions["a"]?.requirement.text == "during s (never)")
    }

    @Test(
        "a mistake is told with its place and what to do",
        arguments: [
            ("schedules: [s]", "1:12: Write schedules here, each with its name and a colon, not a list."),
            (
                "schedules: {After: {mon: 9:00-10:00}}",
                "1:13: 'After' can't be the name of a schedule. Names are lower-case words of letters, digits and "
                    + "hyphens, joined by dots, like after-school; at most 64 characters."
            ),
            (
                "schedules: {s: 9:00-10:00}",
                "1:16: A schedule says for weekdays when it is open. Write for example {mon-fri: 15:00-19:00, sat-sun: "
                    + "9:00-20:00}."
            ),
            (
                "schedules:\n  s:\n    monday: 9:00-10:00\n",
                "3:5: 'monday' is no weekday. There are: mon, tue, wed, thu, fri, sat, sun, and several as mon-fri or "
                    + "\"mon, wed\". Several times on one day are a list, like [9:00-12:00, 14:00-18:00]."
            ),
            (
                "schedules: {s: {mon: 9:00-10:00, 14:00-15:00}}",
                "1:34: '14:00-15:00' is no weekday. There are: mon, tue, wed, thu, fri, sat, sun, and several as "
                    + "mon-fri or \"mon, wed\". Several times on one day are a list, like [9:00-12:00, 14:00-18:00]."
            ),
            (
                "schedules: {s: {mon-wed: 9:00-10:00, tue: 11:00-12:00}}",
                "1:38: 'tue' is there already. Write all of its times as one list, like [9:00-12:00, 14:00-18:00]."
            ),
            (
                "schedules: {s: {mon: 9-10}}",
                "1:22: A time of a schedule is a beginning and an end, like 15:00-19:00 or 20:00-1:00, not '9-10'."
            ),
            (
                "schedules: {s: {mon: 9:00-24:01}}",
                "1:22: A time of a schedule is a beginning and an end, like 15:00-19:00 or 20:00-1:00, not "
                    + "'9:00-24:01'."
            ),
            (
                "schedules: {s: {mon: }}",
                "1:22: A time of a schedule is a beginning and an end, like 15:00-19:00 or 20:00-1:00, not nothing."
            ),
            (
                "schedules: {s: {mon: 9:00-9:00}}",
                "1:22: This ends when it begins. Write 0:00-24:00 for a whole day, or leave the weekday out if it is "
                    + "closed."
            ),
            ("schedules: {s: {mon: []}}", "1:22: 'mon' has nothing in it."),
            (
                "gated-actions: {a: {requires: {during: [s]}}}",
                "1:40: 'during' is the name of a schedule, not a list."
            ),
            (
                "gated-actions: {a: {requires: {during: s}}}",
                "1:40: 's' is not a schedule: no file here has any. Write it under 'schedules' in policy.yaml."
            ),
            (
                "schedules: {after-school: {mon: 9:00-10:00}}\ngated-actions: {a: {requires: {during: after-scool}}}",
                "2:40: 'after-scool' is no schedule. Did you mean 'after-school'? There is: after-school."
            ),
            (
                "gated-actions: {a: {requires: during}}", "1:31: A schedule is written {during: NAME}."
            ),
        ])
    func mistakes(text: String, problem: String) {
        #expect(PolicyReader.problems(text) == [problem])
    }

    @Test("a schedule does not stand before what only a grown-up may allow, unless a grown-up is asked besides")
    func grownUps() {
        let schedules = "schedules: {s: {mon: 9:00-10:00}}\n"
        #expect(PolicyReader.problems(schedules + "gated-actions: {gate.change: {requires: {during: s}}}").count == 1)
        let both = "gated-actions: {gate.change: {requires: {all: [{during: s}, {challenge: passcode}]}}}"
        #expect(PolicyReader.problems(schedules + both).isEmpty)
    }

    @Test("the household's policy may have schedules, and a device has at most a hundred")
    func limits() throws {
        let household = HouseholdPolicy(
            household: HouseholdID(String(repeating: "1", count: 32))!, number: 7,
            issued: WallTime(unixMilliseconds: 1),
            files: [
                HouseholdPolicy.File(
                    path: "policy.d/a.yaml",
                    text: "schedules: {s: {mon: 9:00-10:00}}\ngated-actions: {a: {requires: {during: s}}}")
            ])
        let policy = try PolicyReader.read([], household: household)
        #expect(policy.configuration.gatedActions["a"]?.requirement.text == "during s (Monday 9:00–10:00)")
        let many = (0...100).map { "  s\($0): {mon: 9:00-10:00}\n" }.joined()
        #expect(PolicyReader.problems("schedules:\n\(many)") == ["102:3: There are more than 100 schedules."])
    }
}
