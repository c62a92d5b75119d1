import GateTexts

/// The plot of a month with its texts: two rows of bars, and a table of the same for screen readers.
package struct MonthPlot: Hashable, Sendable {
    /// The two bars of a day: parent time in the upper half, and right and wrong answers on top of each other in the
    /// lower half. 1 is the full height of that half.
    package struct Bar: Hashable, Sendable {
        package var parentTime: Double
        package var rightAnswers: Double
        package var wrongAnswers: Double
    }

    /// The bars of each day, the oldest day first.
    package let bars: [Bar]
    /// The headings of the upper and the lower half.
    package let timeTitle: String
    package let answersTitle: String
    /// The parent time at the full height, as a text.
    package let highestTime: String
    /// The number of answers at the full height, as a text.
    package let highestCount: String
    package let firstDay: String
    package let lastDay: String
    /// The legend.
    package let right: String
    package let wrong: String
    /// The plot in two sentences, for a screen reader.
    package let spoken: String
    /// The days on which something happened, the newest first.
    package let table: [SettingsRow]

    /// What the full height is worth, at least.
    private static let leastTime = Duration.seconds(600)
    private static let leastCount = 10

    init(_ days: [MonthFigures.Day], _ moment: SettingsMoment) {
        // A second of parent mode, or a single answer, would otherwise be a bar of the full height.
        let longest = max(days.map(\.parentTime).max() ?? .zero, Self.leastTime)
        let most = max(days.map { $0.rightAnswers + $0.wrongAnswers }.max() ?? 0, Self.leastCount)
        bars = days.map { day in
            Bar(
                parentTime: day.parentTime / longest, rightAnswers: Double(day.rightAnswers) / Double(most),
                wrongAnswers: Double(day.wrongAnswers) / Double(most))
        }
        timeTitle = localized("Parent mode per day")
        answersTitle = localized("Answers per day")
        highestTime = Self.text(longest)
        highestCount = "\(most)"
        firstDay = days.first.map { moment.text($0.date) } ?? ""
        lastDay = days.last.map { moment.text($0.date) } ?? ""
        right = localized("right")
        wrong = localized("wrong")
        let rightAnswers = days.map(\.rightAnswers).reduce(0, +)
        let wrongAnswers = days.map(\.wrongAnswers).reduce(0, +)
        spoken = localized(
            "In the last {days} days: parent mode for {time}; answers: {right} right, {wrong} wrong.",
            [
                "days": "\(days.count)", "time": Self.text(days.map(\.parentTime).reduce(.zero, +)),
                "right": "\(rightAnswers)", "wrong": "\(wrongAnswers)",
            ])
        table = days.reversed().filter { !$0.isEmpty }.map { day in
            SettingsRow(
                "\(day.date)", moment.text(day.date),
                localized(
                    "Parent mode for {time}, {right} right, {wrong} wrong",
                    ["time": Self.text(day.parentTime), "right": "\(day.rightAnswers)", "wrong": "\(day.wrongAnswers)"])
            )
        }
    }

    private static func text(_ duration: Duration) -> String { DurationWords.text(DurationWords.minutes(duration)) }
}
