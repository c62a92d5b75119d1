package import GateModel

/// The time that somebody has used on a day.
package struct UsageLine {
    package var who: String
    package var subject: String
    package var day: String
    package var used: Duration
    package var left: Duration?
    package var isRunning: Bool
    /// How much of it was used elsewhere, by device.
    package var elsewhere: [UsedElsewhere]

    package init(
        who: String, subject: String, day: String, used: Duration, left: Duration?, isRunning: Bool,
        elsewhere: [UsedElsewhere] = []
    ) {
        self.who = who
        self.subject = subject
        self.day = day
        self.used = used
        self.left = left
        self.isRunning = isRunning
        self.elsewhere = elsewhere
    }

    package static func text(_ lines: [UsageLine]) -> String {
        let texts = lines.map { line in
            let left = line.left.map { ", \($0.shortText) left" } ?? ""
            let elsewhere = line.elsewhere.map { ", \($0.used.shortText) of it on \($0.device)" }.joined()
            return "\(line.who): \(line.subject), \(line.day), \(line.used.shortText)\(elsewhere)\(left)"
                + (line.isRunning ? ", running" : "")
        }
        return texts.isEmpty ? "none" : texts.joined(separator: "\n")
    }

    /// What somebody reads who begins to use something.
    package static func begun(_ gatedAction: String, by who: String, left: Duration?) -> String {
        "\(who) uses \(gatedAction)" + (left.map { ", \($0.shortText) left" } ?? "")
    }

    /// What somebody hears who uses something.
    package static func heard(by who: String, left: Duration?, isOver: Bool) -> String {
        "\(who) hears: " + (isOver ? "it is over" : left.map { "\($0.shortText) left" } ?? "no end")
    }
}
