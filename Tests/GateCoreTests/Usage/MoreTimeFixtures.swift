import CommandSupport
import GateModel

@testable import GateCore

extension AskChoice {
    static func minutes(_ count: Int64) -> AskChoice { .time(.seconds(count * 60)) }
}

extension Configuration {
    private static let mornings = Schedule(
        "mornings", days: Array(repeating: [Schedule.Span(6 * 60, 9 * 60)], count: 7))

    static let moreTime = {
        var configuration = usage
        let amounts = AskChoice.usualMoreTime
        for name in ["game.play", "game.race", "game.chat"] { configuration.gatedActions[name]?.moreTime = amounts }
        configuration.gatedActions["game.late"] = GatedAction(
            title: "Play late", requirement: .all([.during(mornings), .allowance(games)]), moreTime: amounts)
        configuration.gatedActions["game.shop"] = GatedAction(
            title: "Shop", requirement: .all([.during(mornings), .parentMode]), moreTime: amounts)
        configuration.gatedActions["page.late"] = GatedAction(
            title: "Read late", requirement: .all([.during(mornings), permission]), moreTime: amounts)
        configuration.gatedActions["page.open"] = GatedAction(title: "Open a page", requirement: permission)
        return configuration
    }()
}

extension Device {
    /// Mia and Otto, whose hours and games are limited; it is Monday noon, and the gates with mornings are closed.
    static func withMoreTime(_ configuration: Configuration = .moreTime) throws -> Device {
        try withUsage(configuration)
    }

    /// Mia uses up her games.
    mutating func playForAnHour() throws {
        try use(1)
        try live(.seconds(3600))
        try stop(1)
    }

    @discardableResult
    mutating func asksForTime(
        _ wish: AskChoice? = nil, before gatedAction: String = "game.play", as peer: Peer = .ben
    ) throws(GateError) -> Ask {
        try apply(.askMoreTime(gatedAction: gatedAction, wish: wish), as: peer)
        guard let ask = state.askForMoreTime(before: gatedAction, of: peer) else { throw .noSuchAsk(0) }
        return ask
    }

    /// Mia asks, and Olga allows so much. Returns the number of the ask.
    @discardableResult
    mutating func hasTime(_ choice: AskChoice, before gatedAction: String = "game.play") throws -> UInt64 {
        let number = try asksForTime(before: gatedAction).id
        try apply(.answerAsk(number, .yes(choice)), as: .olga)
        return number
    }

    func stateOfAsk(before gatedAction: String = "game.late") -> Ask.State? {
        state.askForMoreTime(before: gatedAction, of: .ben)?.state
    }

    func isOpen(_ gatedAction: String = "game.late", to peer: Peer = .ben) -> Bool {
        // Who is nobody on the list of people has no time either, and is told that.
        let reason = state.outlook(of: gatedAction, for: peer, at: now).refusal?.reason
        return reason != .outOfHours && reason != .notSetUp
    }
}
