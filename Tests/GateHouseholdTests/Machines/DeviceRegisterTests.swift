import GateModel
import Testing

@testable import GateHousehold

@Suite("What is known of other devices (H-03)")
struct DeviceRegisterTests {
    private typealias Sample = SampleHousehold

    /// One whose first news, that there is nothing, were told.
    private func register() -> DeviceRegister {
        var register = DeviceRegister()
        _ = register.takeNews()
        return register
    }

    @Test("the first news replace all that gated had, even if they are empty")
    func first() {
        var register = DeviceRegister()
        #expect(register.takeNews() == DeviceNews(devices: [], isAll: true, hasBroker: false))
        #expect(!register.isDue && register.takeNews() == nil)
    }

    @Test("a device is reported once it has described itself, and then only when it changes")
    func changes() {
        var register = register()
        register.brokerConnected()
        #expect(register.takeNews() == DeviceNews(devices: [], isAll: false, hasBroker: true))
        #expect(register.availabilityArrived(.online, of: Sample.other) == true)
        #expect(!register.isDue, "nobody knows what it is called")
        #expect(register.stateArrived(Sample.state()) == true)
        let report = DeviceReport(Sample.state(), isOnline: true)
        #expect(register.takeNews() == DeviceNews(devices: [report], isAll: false, hasBroker: true))
        #expect(
            register.stateArrived(Sample.state()) == true
                && register.availabilityArrived(.online, of: Sample.other) == true)
        #expect(!register.isDue)
        #expect(register.availabilityArrived(.offline, of: Sample.other) == true)
        #expect(register.takeNews()?.devices == [DeviceReport(Sample.state(), isOnline: false)])
    }

    @Test("many changes of one device become one report with the newest")
    func coalesced() {
        var register = register()
        for time in 1...1000 { _ = register.stateArrived(Sample.state(updated: Int64(time))) }
        _ = register.stateArrived(Sample.state(of: Sample.third))
        let news = register.takeNews()
        #expect(news?.devices.map(\.id) == [Sample.other, Sample.third])
        #expect(news?.devices.first?.updated == WallTime(unixMilliseconds: 1000))
    }

    @Test("news have at most 256 reports, and only the first of several replaces what gated had")
    func batches() {
        var register = register()
        for number in 0..<600 { _ = register.stateArrived(Sample.state(of: Sample.device(number))) }
        register.allDue()
        let news = [register.takeNews(), register.takeNews(), register.takeNews()].compactMap(\.self)
        #expect(news.map(\.devices.count) == [256, 256, 88])
        #expect(news.map(\.isAll) == [true, false, false])
        #expect(Set(news.flatMap { $0.devices.map(\.id) }).count == 600)
        #expect(!register.isDue)
    }

    @Test("10,000 devices are known, and further ones only when others have left")
    func limit() {
        var register = register()
        for number in 0..<HouseholdLimits.devices {
            #expect(register.stateArrived(Sample.state(of: Sample.device(number))) == true)
        }
        #expect(
            register.stateArrived(Sample.state()) == false
                && register.availabilityArrived(.online, of: Sample.other) == false)
        #expect(register.stateArrived(Sample.state(of: Sample.device(7), mode: .parent)) == true, "one that is known")
        register.stateRemoved(of: Sample.device(8))
        #expect(register.stateArrived(Sample.state()) == true)
    }

    @Test("a device that removes its state is gone, and the remaining ones replace what gated had")
    func removed() {
        var register = register()
        _ = register.stateArrived(Sample.state())
        _ = register.stateArrived(Sample.state(of: Sample.third))
        _ = register.takeNews()
        register.stateRemoved(of: Sample.other)
        let news = register.takeNews()
        #expect(news?.isAll == true && news?.devices.map(\.id) == [Sample.third])
        register.stateRemoved(of: Sample.other)
        #expect(!register.isDue)
        // Reports that arrive again and again, with nobody who takes them, don't accumulate.
        for _ in 0..<1000 {
            _ = register.stateArrived(Sample.state())
            register.stateRemoved(of: Sample.other)
        }
        #expect(register.takeNews()?.devices.map(\.id) == [Sample.third])
    }

    @Test("without the broker no device counts as online")
    func brokerLost() {
        var register = register()
        register.brokerConnected()
        for device in [Sample.other, Sample.third] { _ = register.stateArrived(Sample.state(of: device)) }
        _ = register.availabilityArrived(.online, of: Sample.other)
        _ = register.availabilityArrived(.online, of: Sample.device(1))
        _ = register.takeNews()
        register.brokerLost()
        #expect(
            register.takeNews()
                == DeviceNews(devices: [DeviceReport(Sample.state(), isOnline: false)], isAll: false, hasBroker: false))
        register.brokerConnected()
        #expect(register.takeNews() == DeviceNews(devices: [], isAll: false, hasBroker: true))
    }
}

@Suite("Connecting to the broker")
struct BrokerReconnectStateMachineTests {
    private func time(_ seconds: Int64) -> BootTime { BootTime(nanoseconds: seconds * 1_000_000_000) }

    @Test("connecting begins at once, and an attempt is given up after 30 s")
    func attempt() {
        var machine = BrokerReconnectStateMachine(at: time(0))
        #expect(machine.deadline == time(0))
        #expect(machine.timePassed(at: time(0), jitter: 1) == .open)
        #expect(machine.timePassed(at: time(29), jitter: 1) == nil)
        #expect(machine.deadline == time(30))
        #expect(machine.timePassed(at: time(30), jitter: 1) == .giveUp)
        #expect(machine.deadline == time(34))
        #expect(machine.timePassed(at: time(34), jitter: 1) == .open)
    }

    @Test("waits grow up to a minute, and chance varies them from the first on")
    func waits() {
        var machine = BrokerReconnectStateMachine(at: time(0))
        var now: Int64 = 0
        for wait in [4, 8, 16, 32, 60, 60] as [Int64] {
            #expect(machine.timePassed(at: time(now), jitter: 1) == .open)
            machine.lost(at: time(now), jitter: 1)
            #expect(machine.timePassed(at: time(now + wait - 1), jitter: 1) == nil)
            now += wait
            #expect(machine.deadline == time(now))
        }
        var other = BrokerReconnectStateMachine(at: time(0))
        _ = other.timePassed(at: time(0), jitter: 0)
        other.lost(at: time(0), jitter: 0)
        #expect(other.deadline == time(2))
    }

    @Test("a connection that lasted a minute resets the waits, and a shorter one does not")
    func good() {
        var machine = BrokerReconnectStateMachine(at: time(0))
        var now: Int64 = 0
        for (lasted, wait) in [(59, 4), (1, 8), (60, 4)] as [(Int64, Int64)] {
            #expect(machine.timePassed(at: time(now), jitter: 1) == .open)
            machine.connected(at: time(now))
            #expect(machine.deadline == nil)
            #expect(machine.timePassed(at: time(now + lasted), jitter: 1) == nil)
            machine.lost(at: time(now + lasted), jitter: 1)
            now += lasted + wait
            #expect(machine.deadline == time(now))
        }
    }

    @Test("late news of an attempt that was given up change nothing")
    func late() {
        var machine = BrokerReconnectStateMachine(at: time(5))
        machine.connected(at: time(1))
        machine.lost(at: time(1), jitter: 1)
        #expect(machine.deadline == time(5))
        _ = machine.timePassed(at: time(5), jitter: 1)
        machine.connected(at: time(6))
        machine.connected(at: time(7))
        #expect(machine.deadline == nil)
    }
}
