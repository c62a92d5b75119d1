import GateModel
import Testing

@testable import GatePolicy

@Suite("Allowances and schedules that were chosen, in the layers of the policy (Z-07)")
struct ChosenTimesTests {
    private func read(
        _ text: String = "", choices: [String: String], shipped: String = ""
    ) throws -> Policy {
        try PolicyReader.read(
            [PolicySource(name: "policy.yaml", text: text)], household: nil, choices: choices,
            shipped: [PolicySource(name: "shipped.yaml", text: shipped)])
    }

    private static let games = ["allowance games": "{mon-fri: 1h}", "app.chess": "{requires: {allowance: \"games\"}}"]

    private func seconds(_ name: String, in policy: Policy) -> Int? {
        let action = policy.configuration.gatedActions[name]
        guard case .allowance(let allowance)? = action?.requirement else { return nil }
        return allowance.secondsOfDays?[0]
    }

    @Test("a chosen allowance and a chosen schedule are there for chosen gates, with their places")
    func chosen() throws {
        var choices = Self.games
        choices["schedule after-school"] = "{mon: [9:00-12:00, 20:00-1:00]}"
        choices["share"] = "{requires: {during: \"after-school\"}}"
        let policy = try read(choices: choices)
        #expect(policy.broken.isEmpty && seconds("app.chess", in: policy) == 3600)
        let origins = ["allowance games", "schedule after-school"].map {
            PolicyOrigin(layer: .choices, file: "choice of \($0)")
        }
        #expect(
            policy.timeRules == [
                TimeRule(
                    kind: .allowance, name: "games", notation: "{mon-fri: 1h}", origin: origins[0],
                    gatedActions: ["app.chess"]),
                TimeRule(
                    kind: .schedule, name: "after-school", notation: "{mon: [9:00-12:00, 20:00-1:00]}",
                    origin: origins[1], gatedActions: ["share"]),
            ])
        #expect(policy.timeText(.allowance, "games") == "Monday to Friday 1h")
    }

    @Test("a choice counts more than the shipped allowance of its name, and less than the device's own")
    func layers() throws {
        let shipped = "allowances: {games: {mon: 3h}}\ngated-actions: {play: {requires: {allowance: games}}}\n"
        let over = try read(choices: Self.games, shipped: shipped)
        #expect(seconds("play", in: over) == 3600 && seconds("app.chess", in: over) == 3600)
        let under = try read("allowances: {games: {mon: 2h}}\n", choices: Self.games, shipped: shipped)
        #expect(seconds("play", in: under) == 7200 && seconds("app.chess", in: under) == 7200)
        #expect(under.timeRule(.allowance, "games")?.origin?.layer == .device)
        #expect(under.timeRule(.allowance, "games")?.gatedActions == ["app.chess", "play"])
    }

    @Test("files have to be right without choices, so what only a choice has is nothing to them")
    func files() throws {
        let uses = "gated-actions: {play: {requires: {allowance: games}}}\n"
        let error = #expect(throws: PolicyError.self) { try read(uses, choices: Self.games) }
        #expect(error?.description.contains("'games' was only chosen on this device") ?? false)
        let shipped = try read(choices: Self.games, shipped: uses)
        #expect(shipped.broken.map(\.file) == ["shipped.yaml"] && shipped.configuration.gatedActions["play"] == nil)
        #expect(seconds("app.chess", in: shipped) == 3600)
    }

    @Test(
        "a choice with a mistake is left out, and the chosen gates that need it are denied",
        arguments: ["{mon-fri: soon}", "1h", "{mon: 1h}}", "{}", "{mon: 25h}"])
    func mistakes(notation: String) throws {
        var choices = Self.games
        choices["allowance games"] = notation
        let policy = try read(choices: choices)
        #expect(policy.broken.map(\.file).sorted() == ["choice of allowance games", "choice of app.chess"])
        #expect(policy.broken.flatMap(\.gatedActions) == ["app.chess"] && policy.allowances.isEmpty)
    }

    @Test("a choice with a mistake does not let the shipped rule of its name decide, and what needs it never opens")
    func mistakesOverShipped() throws {
        let shipped = """
            allowances: {games: {mon: 3h}, films: {mon: 1h}}
            schedules: {games: {mon: 9:00-20:00}}
            gated-actions:
              play: {requires: {allowance: games}}
              chat: {requires: {during: games}}
              film: {requires: {allowance: films}}

            """
        let choices = ["allowance games": "{mon: soon}", "schedule games": "{mon: soon}"]
        let policy = try read(choices: choices, shipped: shipped)
        #expect(policy.broken.map(\.file).sorted() == choices.keys.sorted().map { "choice of \($0)" })
        let gates = policy.configuration.gatedActions
        #expect(gates["play"]?.requirement == .allowance(Allowance("games")))
        #expect(gates["chat"]?.requirement == .during(Schedule("games")))
        #expect(seconds("film", in: policy) == 3600 && policy.timeRules.map(\.name) == ["films"])
        let own = try read("allowances: {games: {mon: 2h}}\n", choices: choices, shipped: shipped)
        #expect(seconds("play", in: own) == 7200)
    }

    @Test("a name that is no name of a choice is passed over, and a gated action may be called allowance")
    func names() throws {
        let policy = try read(choices: [
            "allowance Games": "{mon: 1h}", "schedule ": "{mon: 9:00-10:00}", "week games": "{mon: 1h}",
            "allowance a b": "{mon: 1h}", "allowance": "{requires: {mode: parent}}",
        ])
        #expect(policy.broken.isEmpty && policy.timeRules.isEmpty)
        #expect(Array(policy.configuration.gatedActions.keys) == ["allowance"])
    }

    @Test(
        "an allowance is read and written back as it is stored",
        arguments: [
            ("{mon-fri: 60m, sat-sun: 2h}", "{mon-fri: 1h, sat-sun: 2h}"), ("{mon-sun: 90m}", "{mon-sun: 1h30m}"),
            ("{\"tue,sat-sun\": 1h}", "{\"tue, sat-sun\": 1h}"), ("{week: 5h}", "{week: 5h}"),
            ("{mon: 1m, week: 168h, day-starts: 4:05}", "{mon: 1m, week: 168h, day-starts: 4:05}"),
            ("{\"mon-sun\": 24h}", "{mon-sun: 24h}"),
        ])
    func allowances(given: String, stored: String) throws {
        #expect(try PolicyReader.timeRule(.allowance, given) == stored)
        #expect(try PolicyReader.timeRule(.allowance, stored) == stored)
        let read = try #require(GateChoice.rules(of: ["allowance a": stored])["allowance a"])
        guard case .allowance(let allowance) = read else { throw PolicyError(problems: []) }
        #expect(allowance.notation == stored && allowance.name == "a")
    }

    @Test(
        "a schedule is read and written back as it is stored",
        arguments: [
            ("{mon-fri: 15:00-19:00}", "{mon-fri: 15:00-19:00}"), ("{sun: 0:00-24:00}", "{sun: 0:00-24:00}"),
            ("{fri: 20:00-1:00, sat: [14:00-18:00, 9:00-12:00]}", "{fri: 20:00-1:00, sat: [9:00-12:00, 14:00-18:00]}"),
            ("{\"mon,wed\": 9:05-10:00}", "{\"mon, wed\": 9:05-10:00}"),
        ])
    func schedules(given: String, stored: String) throws {
        #expect(try PolicyReader.timeRule(.schedule, given) == stored)
        #expect(try PolicyReader.timeRule(.schedule, stored) == stored)
        let read = try #require(GateChoice.rules(of: ["schedule a": stored])["schedule a"])
        guard case .schedule(let schedule) = read else { throw PolicyError(problems: []) }
        #expect(schedule.notation == stored && schedule.name == "a")
    }

    @Test(
        "what is neither is refused",
        arguments: [
            "", "~", "games", "{}", "{mon: soon}", "[mon]", "{mon: 1h}\nroles: {}", "{mon: 1h, mon: 2h}", "{mon: 1h",
        ])
    func refused(text: String) {
        #expect(throws: PolicyError.self) { try PolicyReader.timeRule(.allowance, text) }
        #expect(throws: PolicyError.self) { try PolicyReader.timeRule(.schedule, text) }
    }

    @Test("chosen rules are read by themselves, without the forms and allowances that they name")
    func rules() {
        let rules = GateChoice.rules(of: [
            "app.chess": "{requires: {allowance: \"games\"}}", "allowance games": "{mon: 1h}", "bad": "{",
            "schedule bad": "{mon: 1h}", "no name": "{mon: 1h}",
        ])
        #expect(
            rules == [
                "app.chess": .gate(
                    GatedAction(title: LocalizedText("app.chess"), requirement: .allowance(Allowance("games")))),
                "allowance games": .allowance(Allowance("games", secondsOfDays: [3600, 0, 0, 0, 0, 0, 0])),
            ])
    }
}
