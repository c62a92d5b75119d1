import GateModel

/// What somebody does to the clocks of a device, besides letting time pass.
public enum ClockChange: Hashable, Sendable {
    /// The clock on the wall is set: forward, or back.
    case set(by: Duration)
    /// Another time zone is chosen.
    case zone(minutesEastOfUTC: Int)
    /// The device sleeps for so long.
    case sleep(Duration)
}

/// How a device's clocks differ from one that runs from the beginning of a script, in UTC.
public struct ScriptClock: Hashable, Sendable {
    /// How far the clock on the wall was set.
    public private(set) var wallOffset = Duration.zero
    public private(set) var minutesEastOfUTC = 0
    /// How long the device has slept since its boot.
    public private(set) var suspended = Duration.zero

    public init() {}

    public mutating func take(_ change: ClockChange) {
        switch change {
        case .set(let duration): wallOffset += duration
        case .zone(let minutes): minutesEastOfUTC = minutes
        case .sleep(let duration): suspended += duration
        }
    }

    public mutating func rebooted() { suspended = .zero }

    /// The options of `gated-scripted` with which it begins with these clocks.
    public var options: [String] {
        [
            "--wall-offset=\(wallOffset.components.seconds)", "--minutes-east=\(minutesEastOfUTC)",
            "--suspended=\(suspended.components.seconds)",
        ]
    }
}

extension ClockChange {
    /// What is written to `gated-scripted`.
    public var line: String {
        switch self {
        case .set(let duration): "set \(duration.components.seconds)"
        case .zone(let minutes): "zone \(minutes)"
        case .sleep(let duration): "sleep \(duration.components.seconds)"
        }
    }
}
