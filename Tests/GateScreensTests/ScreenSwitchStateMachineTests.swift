import GateModel
import GateScreens
import Testing

private let start = BootTime(nanoseconds: 1_000_000_000_000)
private func seconds(_ count: Double) -> BootTime { start.advanced(by: .seconds(count)) }
private let own = ScreenSwitchStateMachine.Place.session("c1")
private let child = ScreenSwitchStateMachine.Place.session("2")
private let terminal = ScreenSwitchStateMachine.Place.terminal(3)

/// The child's session has the monitor.
private func quiet(_ place: ScreenSwitchStateMachine.Place? = child) -> ScreenSwitchStateMachine {
    var machine = ScreenSwitchStateMachine(own: own)
    machine.activeChanged(to: place, at: start)
    return machine
}

/// A question has brought the screen up.
private func asked(over place: ScreenSwitchStateMachine.Place? = child) -> ScreenSwitchStateMachine {
    var machine = quiet(place)
    _ = machine.questionCame()
    machine.activeChanged(to: own, at: start)
    return machine
}

@Suite("Switching the monitor to Gate's own screen and back (S-15)")
struct ScreenSwitchStateMachineTests {
    @Test(
        "the monitor switches to Gate's screen for a question, and back after the answer", arguments: [child, terminal])
    func thereAndBack(place: ScreenSwitchStateMachine.Place) {
        var machine = quiet(place)
        #expect(machine.questionCame() == own)
        machine.activeChanged(to: own, at: start)
        machine.questionClosed(wasTakenBack: false, at: start)
        #expect(machine.nextChange == seconds(0.4))
        #expect(machine.timePassed(at: seconds(0.3)) == nil)
        #expect(machine.timePassed(at: seconds(0.4)) == place)
        #expect(machine.nextChange == nil && machine.timePassed(at: seconds(9)) == nil)
    }

    @Test("the monitor stays on Gate's screen for the next question of the same request")
    func oneAfterTheOther() {
        var machine = asked()
        machine.questionClosed(wasTakenBack: false, at: start)
        #expect(machine.questionCame() == nil)
        #expect(machine.timePassed(at: seconds(5)) == nil)
        machine.questionClosed(wasTakenBack: false, at: seconds(6))
        #expect(machine.timePassed(at: seconds(6.4)) == child)
    }

    @Test(
        "after a question closed by itself the monitor stays while keys are pressed, so no other program gets them"
    )
    func takenBack() {
        var machine = asked()
        machine.questionClosed(wasTakenBack: true, at: start)
        #expect(machine.wasTakenBack && machine.timePassed(at: seconds(3.9)) == nil)
        machine.keyPressed(at: seconds(3.9))
        #expect(machine.timePassed(at: seconds(7.8)) == nil)
        #expect(machine.timePassed(at: seconds(7.9)) == child)
        #expect(!machine.wasTakenBack)
        // After an answer nobody is typing any more.
        machine = asked()
        machine.questionClosed(wasTakenBack: false, at: start)
        machine.keyPressed(at: seconds(0.3))
        #expect(machine.timePassed(at: seconds(0.4)) == child)
    }

    @Test("a person who switches away is neither brought back for the same question nor switched when it closes")
    func byHand() {
        var machine = asked()
        machine.activeChanged(to: terminal, at: start)
        #expect(machine.nextChange == nil)
        machine.questionClosed(wasTakenBack: false, at: start)
        #expect(machine.nextChange == nil && machine.timePassed(at: seconds(9)) == nil)
        #expect(machine.questionCame() == own, "another question is another matter")
    }

    @Test("a person who switches back to Gate's screen returns to where they came from")
    func backByHand() {
        var machine = asked()
        machine.activeChanged(to: terminal, at: start)
        machine.activeChanged(to: own, at: start)
        machine.questionClosed(wasTakenBack: false, at: start)
        #expect(machine.timePassed(at: seconds(1)) == terminal)
    }

    @Test("a question that closes during the switch takes the monitor back all the same", arguments: [true, false])
    func goneOnTheWay(wasTakenBack: Bool) {
        var machine = quiet()
        #expect(machine.questionCame() == own)
        machine.questionClosed(wasTakenBack: wasTakenBack, at: start)
        #expect(machine.placeAfterDeath == child, "it may just be coming up")
        machine.activeChanged(to: own, at: seconds(1))
        #expect(machine.timePassed(at: seconds(1.3)) == nil)
        #expect(machine.timePassed(at: seconds(wasTakenBack ? 5.1 : 1.5)) == child)
    }

    @Test("a switch that does not happen within ten seconds is given up")
    func neverCame() {
        var machine = quiet()
        _ = machine.questionCame()
        machine.questionClosed(wasTakenBack: true, at: start)
        #expect(machine.nextChange == seconds(10) && machine.timePassed(at: seconds(10)) == nil)
        machine.activeChanged(to: own, at: seconds(60))
        #expect(machine.timePassed(at: seconds(99)) == nil, "a person has come by hand")
    }

    @Test("a question that comes while the screen has the monitor moves nothing")
    func alreadyThere() {
        var machine = quiet()
        machine.activeChanged(to: own, at: start)
        #expect(machine.questionCame() == nil)
        machine.questionClosed(wasTakenBack: false, at: start)
        #expect(machine.timePassed(at: seconds(1)) == child)
    }

    @Test("on a device with Gate's screen alone the monitor stays there")
    func kiosk() {
        var machine = asked(over: nil)
        #expect(!machine.canGoBack)
        machine.questionClosed(wasTakenBack: true, at: start)
        #expect(machine.nextChange == nil && machine.backPressed() == nil)
    }

    @Test("without a question the monitor is never switched, whoever has it")
    func idle() {
        var machine = quiet()
        machine.activeChanged(to: terminal, at: start)
        machine.activeChanged(to: own, at: start)
        machine.keyPressed(at: start)
        machine.questionClosed(wasTakenBack: true, at: start)
        #expect(machine.timePassed(at: seconds(9)) == nil && machine.placeAfterDeath == nil)
        #expect(machine.canGoBack && machine.backPressed() == terminal)
    }

    @Test("\"Back\" switches back at once after a question has closed, and closes none")
    func back() {
        var machine = asked()
        #expect(machine.backPressed() == nil)
        machine.questionClosed(wasTakenBack: true, at: start)
        #expect(machine.backPressed() == child)
        #expect(machine.timePassed(at: seconds(9)) == nil)
    }

    @Test("if the program dies the monitor returns to where it was, unless a person has switched away")
    func death() {
        var machine = quiet()
        #expect(machine.placeAfterDeath == nil)
        _ = machine.questionCame()
        #expect(machine.placeAfterDeath == child, "it may just be coming up")
        machine.activeChanged(to: own, at: start)
        #expect(machine.placeAfterDeath == child)
        machine.questionClosed(wasTakenBack: false, at: start)
        #expect(machine.placeAfterDeath == child)
        machine = asked()
        machine.activeChanged(to: terminal, at: start)
        #expect(machine.placeAfterDeath == nil)
    }

    @Test("another screen that takes the monitor just before the switch back keeps it")
    func overtaken() {
        var machine = asked()
        machine.questionClosed(wasTakenBack: false, at: start)
        machine.activeChanged(to: terminal, at: start)
        #expect(machine.timePassed(at: seconds(1)) == nil && machine.nextChange == nil)
        // The session that it was to go back to has ended, and nobody knows what came instead.
        machine = asked()
        machine.activeChanged(to: nil, at: start)
        machine.questionClosed(wasTakenBack: false, at: start)
        #expect(machine.timePassed(at: seconds(1)) == nil)
    }
}
