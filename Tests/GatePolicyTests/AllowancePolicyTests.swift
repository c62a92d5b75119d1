import GateModel
import Testing

@testable import GatePolicy

@Suite("Allowances in the policy (Z-02)")
struct AllowancePolicyTests {
    private static func policy(_ allowances: String, requires: String = "{allowance: games}") throws -> Policy {
        try PolicyReader.read("allowances:\n  \(allowances)\ngated-actions:\n  a: {requires: \(requires)}\n")
    }

    private func allowance(_ limits: String) throws -> Allowance {
        let requirement = try Self.policy("games: \(limits)").configuration.gatedActions["a"]?.requirement
        guard case .allowance(let allowance)? = requirement else { throw PolicyError(problems: []) }
        return allowance
    }

    private func text(_ limits: String) throws -> String { Requirement.allowance(try allowance(limits)).text }

    /// The messages, without their places.
    private func problems(_ text: String) -> [String] {
        PolicyReader.problems(text).map { String($0.drop { $0 != " " }.dropFirst()) }
    }

    private func problems(ofLimits limits: String) -> [String] {
        problems("allowances: {games: \(limits)}\ngated-actions: {a: {requires: {allowance: games}}}\n")
    }

    @Test("weekdays have their own time, and the others none; a day may begin later than at midnight")
    func days() throws {
        let games = try allowance("{mon-fri: 1h, sun: 2h30m, day-starts: 4:00}")
        #expect(games.secondsOfDays == [3600, 3600, 3600, 3600, 3600, 0, 9000])
        #expect(games.secondsOfWeek == nil && games.dayStart == 240 && games.name == "games")
        #expect(
            try text("{mon-fri: 1h, sun: 2h30m, day-starts: 4:00}")
                == "allowance games (Monday to Friday 1h; Sunday 2h30m; days begin at 4:00)")
        #expect(try allowance("{\"mon, wed\": 1h}").secondsOfDays == [3600, 0, 3600, 0, 0, 0, 0])
    }

    @Test("a week has its own time, alone or beside that of the days")
    func week() throws {
        #expect(try allowance("{week: 7h}") == Allowance("games", secondsOfWeek: 7 * 3600))
        #expect(try text("{week: 7h}") == "allowance games (7h a week)")
        #expect(try text("{sat-sun: 3h, week: 4h}") == "allowance games (Saturday, Sunday 3h; 4h a week)")
    }

    @Test("the condition stands wherever one may stand, and comes back from its notation")
    func notation() throws {
        let requirement = Requirement.any([.parentMode, .all([.allowance(Allowance("games")), .signedIn])])
        #expect(requirement.notation == "{any: [{mode: parent}, {all: [{allowance: \"games\"}, signed-in]}]}")
        #expect(try PolicyReader.requirement("{allowance: games}") == .allowance(Allowance("games")))
        let nested = try Self.policy("games: {week: 7h}", requires: requirement.notation)
        #expect(
            nested.configuration.gatedActions["a"]?.requirement
                == .any([.parentMode, .all([.allowance(Allowance("games", secondsOfWeek: 7 * 3600)), .signedIn])]))
    }

    @Test("mistakes say what to write")
    func mistakes() {
        #expect(
            problems(ofLimits: "{}") == [
                "An allowance says for weekdays how much time there is. Write for example {mon-fri: 1h, sat-sun: 2h}."
            ])
        #expect(
            problems(ofLimits: "{day-starts: 4:00}") == [
                "This says when a day begins, but not how much time it has. Write for example {mon-fri: 1h, sat-sun: 2h}."
            ])
        #expect(
            problems(ofLimits: "{someday: 1h}").first?.contains("'someday' is no weekday") == true)
        #expect(problems(ofLimits: "{mon: 1h, mon-fri: 2h}") == ["'mon' is there already. Keep one of them."])
        #expect(problems(ofLimits: "{mon: 25h}").first?.contains("between 1m and 24h") == true)
        #expect(problems(ofLimits: "{mon: 0m}").count == 1)
        #expect(problems(ofLimits: "{week: 169h}").count == 1)
        #expect(problems(ofLimits: "{mon: soon}").count == 1)
        #expect(
            problems(ofLimits: "{mon: 1h, day-starts: 24:00}") == ["'day-starts' is a time like 4:00, not '24:00'."])
        #expect(problems(ofLimits: "one hour").count == 1)
    }

    @Test("a name that no file defines is reported, and so is one too many")
    func names() {
        #expect(
            problems("gated-actions: {a: {requires: {allowance: games}}}\n") == [
                "'games' is not an allowance: no file here has any. Write it under 'allowances' in policy.yaml."
            ])
        #expect(
            problems("allowances: {games: {week: 1h}}\ngated-actions: {a: {requires: {allowance: game}}}\n").first?
                .contains("games") == true)
        let many = (0..<17).map { "a\($0): {week: 1h}" }.joined(separator: ", ")
        #expect(problems("allowances: {\(many)}\n") == ["There are more than 16 allowances."])
        #expect(problems("allowances: {Games: {week: 1h}}\n").count == 1)
        #expect(
            problems("gated-actions: {a: {requires: allowance}}\n") == ["An allowance is written {allowance: NAME}."])
    }
}
