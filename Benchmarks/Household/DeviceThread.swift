import Foundation
import Glibc
import Synchronization

/// Many devices on one thread, which waits for all of their sockets.
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
        var polled: [pollfd] = []
        for (index, device) in devices.enumerated() {
            try device.connect()
            polled.append(pollfd(fd: device.socket, events: 0, revents: 0))
            // Those before it go on while there are still some to connect.
            if index % 64 == 0 { carry(devices, &polled, patience: 0) }
        }
        var looked = ContinuousClock.now
        while true {
            carry(devices, &polled, patience: 20)
            for wish in takeWishes() {
                switch wish {
                case .open: for device in devices { device.open() }
                case .stop: return
                }
            }
            guard ContinuousClock.now - looked > .milliseconds(50) else { continue }
            looked = .now
            for device in devices { device.timePassed() }
            count(devices)
        }
    }

    private func takeWishes() -> [Wish] {
        wishes.withLock { wishes in
            defer { wishes = [] }
            return wishes
        }
    }

    /// Waits until there is something to read or to write, and does it.
    private func carry(_ devices: [SimulatedDevice], _ polled: inout [pollfd], patience: CInt) {
        for index in polled.indices {
            polled[index].events = Int16(POLLIN) | (devices[index].wantsToWrite ? Int16(POLLOUT) : 0)
        }
        guard poll(&polled, nfds_t(polled.count), patience) > 0 else { return }
        for index in polled.indices where polled[index].revents != 0 {
            devices[index].carry(reads: polled[index].revents & ~Int16(POLLOUT) != 0)
        }
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
