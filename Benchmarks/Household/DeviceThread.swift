import Foundation
import Glibc
import Synchronization

/// Many devices on one thread, with one epoll for all of their sockets.
final class DeviceThread: Sendable {
    /// A wish of the main thread's.
    enum Wish { case open, stop }

    /// The figures that the main thread looks at.
    struct Figures {
        var subscribed = 0
        var open = 0
        var locks = 0
        var failure: String?
    }

    private let figures = Mutex(Figures())
    private let wishes = Mutex<[Wish]>([])

    var now: Figures { figures.withLock { $0 } }

    func wish(_ wish: Wish) { wishes.withLock { $0.append(wish) } }

    /// - Parameter make: makes the devices, on the thread itself.
    init(_ make: @escaping @Sendable () throws -> [SimulatedDevice]) {
        let thread = Thread { [self] in
            do {
                try run(make())
            } catch {
                figures.withLock { $0.failure = "\(error)" }
            }
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    private func run(_ devices: [SimulatedDevice]) throws {
        let poll = epoll_create1(0)
        for (index, device) in devices.enumerated() {
            try device.connect()
            var event = Self.interest(of: device, index)
            guard epoll_ctl(poll, EPOLL_CTL_ADD, device.socket, &event) == 0 else {
                throw LoadFailure("epoll: \(errno)")
            }
            // Those before it go on while there are still some to connect.
            if index % 16 == 0 { carry(devices, poll, patience: 0) }
        }
        var looked = ContinuousClock.now
        while true {
            carry(devices, poll, patience: 20)
            for wish in wishes.withLock({ wishes in
                defer { wishes = [] }
                return wishes
            }) {
                switch wish {
                case .open:
                    for (index, device) in devices.enumerated() {
                        device.open()
                        renewInterest(in: device, index, poll)
                    }
                case .stop: return
                }
            }
            guard ContinuousClock.now - looked > .milliseconds(50) else { continue }
            looked = .now
            for (index, device) in devices.enumerated() {
                device.timePassed()
                if device.wantsToWrite { renewInterest(in: device, index, poll) }
            }
            count(devices)
        }
    }

    private func carry(_ devices: [SimulatedDevice], _ poll: CInt, patience: CInt) {
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        let count = epoll_wait(poll, &events, CInt(events.count), patience)
        for event in events.prefix(Int(max(count, 0))) {
            let index = Int(event.data.u32)
            devices[index].carry(reads: event.events & EPOLLIN.rawValue != 0)
            renewInterest(in: devices[index], index, poll)
        }
    }

    private static func interest(of device: SimulatedDevice, _ index: Int) -> epoll_event {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (device.wantsToWrite ? EPOLLOUT.rawValue : 0)
        event.data.u32 = UInt32(index)
        return event
    }

    private func renewInterest(in device: SimulatedDevice, _ index: Int, _ poll: CInt) {
        var event = Self.interest(of: device, index)
        epoll_ctl(poll, EPOLL_CTL_MOD, device.socket, &event)
    }

    private func count(_ devices: [SimulatedDevice]) {
        var new = Figures()
        for device in devices {
            if device.isSubscribed { new.subscribed += 1 }
            if device.isOpen { new.open += 1 }
            new.locks += device.lockCount
            if let failure = device.failure { new.failure = failure }
        }
        figures.withLock { $0 = new }
    }
}
