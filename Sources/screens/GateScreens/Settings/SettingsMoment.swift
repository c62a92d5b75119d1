package import GateModel
import GateTexts

/// All that the pages need to know of now and here.
package struct SettingsMoment: Sendable {
    /// Now, as deadlines count.
    package var boot: BootTime
    /// Now, on the wall.
    package var wall: WallTime
    package var clock: LocalClock
    package var habits: WritingHabits
    /// The languages of the person, for texts of others in several; as BCP 47 tags, the preferred one first.
    package var languages: [String]
    /// The uid of the person.
    package var uid: UInt32
    /// The name of a user; `nil`: the device has none with that number.
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

    /// `18:05`; with the date where it is another day.
    func text(_ time: WallTime) -> String {
        let day = clock.day(time)
        let timeOfDay = clock.timeOfDay(time)
        return day == clock.day(wall) ? timeOfDay : "\(text(day)) \(timeOfDay)"
    }

    /// When a deadline comes, on the wall.
    func text(_ deadline: BootTime) -> String {
        text(WallTime(unixMilliseconds: wall.unixMilliseconds + boot.duration(to: deadline).millisecondsRoundedUp))
    }

    /// As the person writes dates.
    func text(_ day: CivilDate) -> String { habits.date(atStartOf: "\(day)") }

    /// A user, by name.
    func user(_ uid: UInt32) -> String {
        userName(uid)?.replacingHidden ?? localized("user {uid}", ["uid": "\(uid)"])
    }
}
