import GateModel
import Testing

@testable import GatePolicy

@Suite("Where more time can be asked for (Z-04)")
struct MoreTimePolicyTests {
    private static let times = """
        schedules: {evening: {mon-sun: 17:00-19:00}}
        allowances: {games: {mon-sun: 1h}}

        """

    private func read(_ moreTime: String, requires: String = "{during: evening}") throws -> GatedAction? {
        let text = Self.times + "gated-actions:\n  a: {requires: \(requires), more-time: \(moreTime)}\n"
        return try PolicyReader.read([PolicySource(name: "policy.yaml", text: text)]).configuration.gatedActions["a"]
    }

    @Test("amounts and the rest of the day are offered, in their order, and are written back as they were read")
    func taken() throws {
        let amounts: [AskChoice] = [.time(.seconds(900)), .time(.seconds(5400)), .today]
        #expect(try read("[15m, 1h30m, today]")?.moreTime == amounts)
        #expect(try read("true")?.moreTime == AskChoice.usualMoreTime)
        #expect(try read("false")?.moreTime == [])
        #expect(try read("[today]", requires: "{allowance: games}")?.moreTime == [.today])
        let nested = "{any: [{mode: parent}, {all: [{allowance: games}, {challenge: passcode}]}]}"
        #expect(try read("[1m, 24h]", requires: nested)?.moreTime == [.time(.seconds(60)), .time(.seconds(86400))])
        let action = try #require(try read("[15m, 1h30m, today]"))
        #expect(action.notation.hasSuffix(#"requires: {during: "evening"}, more-time: [15m, 1h30m, today]}"#))
        let written = "schedules: {evening: {mon-sun: 17:00-19:00}}\ngated-actions: {a: \(action.notation)}"
        let again = try PolicyReader.read([PolicySource(name: "policy.yaml", text: written)])
        #expect(again.configuration.gatedActions["a"] == action)
        #expect(
            again.configuration.policyLines.contains {
                $0.hasPrefix("gated action a (a): during evening") && $0.hasSuffix("; more time 15m, 1h30m, today")
            })
    }

    @Test(
        "it is refused where it changes nothing, or says no amount, with its place and what to do",
        arguments: [
            (
                "gated-actions: {a: {requires: {challenge: passcode}, more-time: true}}",
                "1:65: More time has no effect here, because nothing limits the time. Add {during: NAME} or {allowance: "
                    + "NAME} to 'requires', or remove 'more-time'."
            ),
            (
                "{schedules: {b: {mon: 1:00-2:00}}, gated-actions: {a: {requires: {during: b}, more-time: []}}}",
                "1:90: 'more-time' has nothing in it."
            ),
            (
                "{schedules: {b: {mon: 1:00-2:00}}, gated-actions: {a: {requires: {during: b}, more-time: 15m}}}",
                "1:90: 'more-time' is a list like [one, two], not '15m'."
            ),
            (
                "{schedules: {b: {mon: 1:00-2:00}}, gated-actions: {a: {requires: {during: b}, more-time: [always]}}}",
                "1:91: More time is an amount like 15m, or today for the rest of the day, not 'always'."
            ),
            (
                "{schedules: {b: {mon: 1:00-2:00}}, gated-actions: {a: {requires: {during: b}, more-time: [25h]}}}",
                "1:91: 'more-time' is between 1m and 24h, not 25h."
            ),
            (
                "{schedules: {b: {mon: 1:00-2:00}}, gated-actions: {a: {requires: {during: b}, more-time: [1h, 60m]}}}",
                "1:95: '60m' is one of the amounts already. Remove it here or there."
            ),
        ])
    func refused(text: String, problem: String) {
        #expect(PolicyReader.problems(text) == [problem])
    }
}
