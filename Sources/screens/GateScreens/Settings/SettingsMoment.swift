package import GateModel
import GateTexts

/// What the pages need to know about the present moment and the person.
package struct SettingsMoment: Sendable {
    /// The time now, for deadlines.
    package var boot: BootTime
    /// The time now, as clocks show it.
    package var wall: WallTime
    package var clock: LocalClock
    package var habits: WritingHabits
    /// The person's languages, for texts in several languages, as BCP 47 tags, the preferred one first.
    package var languages: [String]
    package var uid: UInt32
    /// The name of a user; `nil` if the device has no user with that uid.
    package var userName: @Sendable (UInt32) -> String?

    package init(
        boot: BootTime, wall: WallTime, clock: LocalClock, habits: WritingHabits, languages: [String] = [], uid: UInt32,
        userName: @escaping @Sendable (UInt32) -> String?
    ) {
        self.boot = boot
        self.wall = wall
        self.clock = clock
        self.habits = habits
        self.languages = languages
        self.uid = uid
        self.userName = userName
    }

    /// `18:05`, after the date if it is not today.
    func text(_ time: WallTime) -> String {
        let day = clock.day(time)
        let timeOfDay = clock.timeOfDay(time)
        return day == clock.day(wall) ? timeOfDay : "\(text(day)) \(timeOfDay)"
    }

    /// When a deadline comes, as clocks show it.
    func text(_ deadline: BootTime) -> String {
        text(WallTime(unixMilliseconds: wall.unixMilliseconds + boot.duration(to: deadline).millisecondsRoundedUp))
    }

    /// The date as the person writes it.
    func text(_ day: CivilDate) -> String { habits.date(atStartOf: "\(day)") }

    /// The user's name, or `user 1000` if it has none.
    func user(_ uid: UInt32) -> String {
        userName(uid)?.replacingHidden ?? localized("user {uid}", ["uid": "\(uid)"])
    }
}
