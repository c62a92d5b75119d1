public import GateModel

/// What somebody does about the age ranges that apps are told.
public enum ScriptAge: Hashable, Sendable {
    /// An app of the person asks how old they are.
    case ask(app: String)
    /// No gates: as they are.
    case set(isOn: Bool, gates: [Int])
    /// The apps that have asked, and what was chosen.
    case apps
    case choose(AgeChoice, app: String, of: String)
}

extension ScriptWords {
    /// `how-old APP as NAME`, `ages on|off [13,16,18] as NAME`, `age-apps as NAME`, `choose CHOICE for APP of PERSON as NAME`.
    mutating func age(_ verb: String) throws(ScriptError) -> ScriptCommand? {
        switch verb {
        case "how-old": return .age(.ask(app: try word(of: verb, "the name of an app")), try person(of: verb))
        case "age-apps": return .age(.apps, try person(of: verb))
        case "ages":
            let isOn = try word(of: verb, "on or off") == "on"
            let words = rest.first == "as" ? "" : try word(of: verb, "ages")
            let gates = words.split(separator: ",").compactMap { Int($0) }
            return .age(.set(isOn: isOn, gates: gates), try person(of: verb))
        case "choose":
            guard let choice = AgeChoice(rawValue: try word(of: verb, "a choice")), rest.count >= 4,
                rest[0] == "for", rest[2] == "of"
            else { throw error("write for example: choose always for chat of mia as root") }
            let (app, name) = (rest[1], rest[3])
            rest.removeFirst(4)
            return .age(.choose(choice, app: app, of: name), try person(of: verb))
        default: return nil
        }
    }
}

/// The words of age ranges.
package enum AgeLine {
    package static func range(_ range: AgeRange?) -> String {
        guard let range else { return "nothing" }
        let who = range.source == .grownUp ? ", a grown-up" : ""
        return switch (range.low, range.high) {
        case (let low?, let high?): "\(low) to \(high)\(who)"
        case (let low?, nil): "\(low) or older\(who)"
        case (nil, let high?): "\(high) or younger\(who)"
        case (nil, nil): "any age\(who)"
        }
    }

    package static func apps(_ apps: [AgeApp]) -> String {
        let lines = apps.map { "\($0.app) of \($0.person): \($0.choice.rawValue)\($0.isWaiting ? ", waits" : "")" }
        return lines.isEmpty ? "none" : lines.joined(separator: "\n")
    }
}
