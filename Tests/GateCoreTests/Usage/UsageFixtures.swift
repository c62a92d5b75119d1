import CommandSupport
import GateModel

@testable import GateCore

extension Configuration {
    /// An hour of games a day, two on Saturdays and Sundays; days begin at four.
    static let games = Allowance(
        "games", secondsOfDays: [3600, 3600, 3600, 3600, 3600, 7200, 7200], dayStart: 4 * 60)

    static let usage = {
        var configuration = gates
        configuration.gatedActions["game.play"] = GatedAction(title: "Play", requirement: .allowance(games))
        configuration.gatedActions["game.race"] = GatedAction(
            title: "Race", requirement: .any([.parentMode, .allowance(games)]))
        configuration.gatedActions["game.chat"] = GatedAction(
            title: "Chat", requirement: .all([.allowance(games), .challenge(ChallengeRule(.arithmeticChoice))]),
            keep: .seconds(24 * 3600))
        configuration.gatedActions["film.watch"] = GatedAction(
            title: "Watch", requirement: .allowance(Allowance("films", secondsOfWeek: 3 * 3600)))
        return configuration
    }()
}

extension UsageMeter {
    static let miasGames = UsageMeter(uid: Peer.ben.uid, .allowance("games"))
}

extension Device {
    /// 2026-06-01, a Monday, at noon UTC.
    static let mondayNoon = WallTime(unixMilliseconds: (20_605 * 24 + 12) * 3_600_000)
    static let monday: Int64 = 20_605

    /// The people of `withAsks`: the peer Ben is Mia's user, and Anna is Otto's. It is Monday noon.
    static func withUsage(_ configuration: Configuration = .usage) throws -> Device {
        var device = try withAsks(configuration)
        device.wallTime = mondayNoon
        try device.apply(.deadlineReached, as: .daemon)
        return device
    }

    mutating func use(
        _ number: UInt64, _ gatedAction: String = "game.play", details: String = "", as peer: Peer = .ben
    ) throws(GateError) {
        try apply(.usage(.begin(number, gatedAction: gatedAction, details: details)), as: peer)
    }

    @discardableResult
    mutating func stop(_ number: UInt64, as peer: Peer = .ben) throws(GateError) -> Transition {
        try apply(.usage(.end(number)), as: peer)
    }

    /// Both clocks go on, and the daemon's alarm rings at each deadline on the way.
    mutating func live(_ duration: Duration) throws {
        let end = now.advanced(by: duration)
        while let next = state.nextDeadline, next <= end {
            try pass(max(.zero, now.duration(to: next)))
        }
        try pass(now.duration(to: end))
    }

    /// Stored seconds by day, from Monday.
    func stored(_ meter: UsageMeter = .miasGames) -> [Int64: Int64] {
        Dictionary(
            uniqueKeysWithValues: (stored.usage.days[meter] ?? [:]).map { ($0.key - Self.monday, $0.value / 1000) })
    }

    /// What is left for Mia's games.
    var left: Duration? { state.timeLeft(of: .miasGames, at: now) }

    func refusal(of gatedAction: String = "game.play", for peer: Peer = .ben) -> GateError? {
        state.outlook(of: gatedAction, for: peer, at: now).refusal
    }
}
