import GateModel
import GateScreens
import Testing

@Suite("The mark of parent mode")
struct ModeMarkStateMachineTests {
    private static let start = BootTime(nanoseconds: 1_000_000_000_000)

    private static func seconds(_ count: Double) -> BootTime { start.advanced(by: .seconds(count)) }

    /// A machine in parent mode, on a desktop that has said whether it shows status icons.
    private static func parent(seconds count: Double = 600, hasIcons: Bool = false) -> ModeMarkStateMachine {
        var machine = ModeMarkStateMachine()
        machine.iconsChanged(areShown: hasIcons)
        machine.modeChanged(to: ModeState(mode: .parent, deadline: seconds(count)))
        return machine
    }

    @Test("in child mode parent mode can be asked for, one question at a time (K-04)")
    func entering() {
        var machine = ModeMarkStateMachine()
        machine.iconsChanged(areShown: true)
        #expect(machine.mark(at: Self.start).actions == [.enter] && machine.mark(at: Self.start).takes(.enter))
        #expect(machine.pressed(.enter) == .enter)
        #expect(!machine.mark(at: Self.start).takes(.enter) && machine.pressed(.enter) == nil)
        // The question is open, and is answered wrongly too often.
        machine.modeChanged(to: ModeState(mode: .verifying, deadline: Self.seconds(60)))
        machine.ended(.enter, refusal: GateError(.resourceExhausted, .lockedOut, "Locked out."))
        machine.modeChanged(to: .closed)
        #expect(machine.mark(at: Self.start).note == "Locked out." && machine.mark(at: Self.start).takes(.enter))
        #expect(machine.pressed(.enter) == .enter)
        machine.modeChanged(to: ModeState(mode: .parent, deadline: Self.seconds(600)))
        machine.ended(.enter, refusal: nil)
        #expect(machine.mark(at: Self.start).actions == [.longer, .lockNow])
        #expect(machine.mark(at: Self.start).note.isEmpty && machine.pressed(.enter) == nil)
    }

    @Test("in child mode the mark says so, no time runs, and locking and more time are not offered (S-11)")
    func child() {
        var machine = ModeMarkStateMachine()
        #expect(machine.mark(at: Self.start).sentence == "Child mode")
        #expect(machine.nextChange(after: Self.start) == nil)
        #expect(machine.pressed(.lockNow) == nil)
        #expect(machine.pressed(.longer) == nil)
        machine.modeChanged(to: ModeState(mode: .verifying, deadline: Self.seconds(60)))
        #expect(machine.mark(at: Self.start).sentence == "Child mode")
        #expect(machine.nextChange(after: Self.start) == nil)
    }

    @Test(
        "the time that is left is told in whole minutes, rounded up (S-11)",
        arguments: [
            (0.0, "10 minutes left"), (0.5, "10 minutes left"), (60, "9 minutes left"), (479, "3 minutes left"),
            (480, "2 minutes left"), (530, "2 minutes left"), (540, "less than a minute left"),
            (599, "less than a minute left"), (700, "less than a minute left"),
        ])
    func timeLeft(at second: Double, text: String) {
        #expect(Self.parent().mark(at: Self.seconds(second)).sentence == "Parent mode: \(text)")
    }

    @Test("parent mode without an end has no time and no timer")
    func endless() {
        for deadline in [BootTime?.none, .never] {
            var machine = ModeMarkStateMachine()
            machine.modeChanged(to: ModeState(mode: .parent, deadline: deadline))
            #expect(machine.mark(at: Self.start).sentence == "Parent mode")
            #expect(machine.nextChange(after: Self.start) == nil)
        }
    }

    @Test("the mark changes once a minute, with the minutes that are left, and not after the end (S-11)")
    func minutes() throws {
        let machine = Self.parent(seconds: 150)
        var now = Self.start
        var changes: [Duration] = []
        while let next = machine.nextChange(after: now), changes.count < 10 {
            #expect(machine.mark(at: now) != machine.mark(at: next.advanced(by: .nanoseconds(1))))
            changes.append(Self.start.duration(to: next))
            now = next
        }
        #expect(changes == [.seconds(30), .seconds(90)])
    }

    @Test("the mark is a status icon if the desktop has icons, else a notification, else a window (S-11)")
    func places() {
        var machine = ModeMarkStateMachine()
        machine.modeChanged(to: ModeState(mode: .parent, deadline: Self.seconds(600)))
        #expect(machine.place == .nowhere, "nobody has said yet whether there are icons")
        machine.iconsChanged(areShown: false)
        #expect(machine.place == .notification)
        machine.notificationEnded(byPerson: false)
        #expect(machine.place == .window)
        machine.notificationsChanged(areThere: true)
        #expect(machine.place == .notification)
        machine.notificationsChanged(areThere: false)
        #expect(machine.place == .window)
        machine.iconsChanged(areShown: true)
        #expect(machine.place == .icon)
        machine.iconsChanged(areShown: false)
        #expect(machine.place == .window)
        machine.modeChanged(to: .closed)
        #expect(machine.place == .nowhere)
    }

    @Test("in child mode there is a status icon, but no notification and no window")
    func childPlaces() {
        var machine = ModeMarkStateMachine()
        machine.iconsChanged(areShown: true)
        #expect(machine.place == .icon)
        machine.iconsChanged(areShown: false)
        #expect(machine.place == .nowhere)
        machine.notificationEnded(byPerson: false)
        machine.notificationsChanged(areThere: false)
        #expect(machine.place == .nowhere)
    }

    @Test("a notification that the person closed comes back with the next change of mode")
    func dismissed() {
        var machine = Self.parent()
        machine.notificationEnded(byPerson: true)
        #expect(machine.place == .nowhere)
        machine.modeChanged(to: ModeState(mode: .parent, deadline: Self.seconds(600)))
        #expect(machine.place == .nowhere, "that was no change")
        machine.notificationsChanged(areThere: true)
        #expect(machine.place == .nowhere)
        machine.modeChanged(to: ModeState(mode: .parent, deadline: Self.seconds(900)))
        #expect(machine.place == .notification)
    }

    @Test("the late end of a notification that is no longer shown is ignored")
    func lateEnd() {
        var machine = Self.parent(hasIcons: true)
        machine.notificationEnded(byPerson: true)
        machine.iconsChanged(areShown: false)
        #expect(machine.place == .notification)
    }

    @Test("more time can be asked for once at a time, and locking is always possible (S-11)")
    func actions() {
        var machine = Self.parent()
        #expect(machine.pressed(.longer) == .longer)
        #expect(machine.mark(at: Self.start).isAsking)
        #expect(machine.pressed(.longer) == nil)
        #expect(machine.pressed(.lockNow) == .lockNow)
        machine.ended(.longer, refusal: nil)
        #expect(!machine.mark(at: Self.start).isAsking)
        #expect(machine.pressed(.longer) == .longer)
    }

    @Test("the reason of a refusal is shown until the next request or change of mode")
    func refused() {
        let refusal = GateError(.resourceExhausted, .limit, "That was too often.")
        var machine = Self.parent()
        _ = machine.pressed(.lockNow)
        machine.ended(.lockNow, refusal: refusal)
        #expect(machine.mark(at: Self.start).note == "That was too often.")
        _ = machine.pressed(.lockNow)
        #expect(machine.mark(at: Self.start).note.isEmpty)
        machine.ended(.lockNow, refusal: refusal)
        machine.modeChanged(to: ModeState(mode: .parent, deadline: Self.seconds(900)))
        #expect(machine.mark(at: Self.start).note.isEmpty)
        machine.modeChanged(to: .closed)
        machine.ended(.longer, refusal: refusal)
        #expect(machine.mark(at: Self.start).note.isEmpty)
    }

    @Test("a dismissed question is not shown as a refusal")
    func dismissedQuestion() {
        var machine = Self.parent()
        _ = machine.pressed(.longer)
        machine.ended(.longer, refusal: GateError(.cancelled, .dismissed, "It was dismissed."))
        #expect(machine.mark(at: Self.start).note.isEmpty)
    }
}
