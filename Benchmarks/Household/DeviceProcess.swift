import Foundation
import Glibc
import Synchronization

/// Many devices in one process, which waits for all of their sockets: a process may have fewer files than 10,000 of them take.
final class DeviceProcess: Sendable {
    /// An order of the main process.
    enum Order: UInt8 { case open, stop }

    /// The figures that the main process looks at, as they go over a pipe.
    struct Figures {
        var subscribed = 0
        var open = 0
        var locks = 0
        var hasFailed = false
    }

    private let figures = Mutex(Figures())
    private let orders: CInt
    private let told: CInt

    var now: Figures { figures.withLock { $0 } }

    func send(_ order: Order) {
        var byte = order.rawValue
        write(orders, &byte, 1)
    }

    /// Starts the process. It is a copy of this one, so this one may have no threads yet.
    ///
    /// - Parameter make: makes the devices, in the new process.
    /// - Throws: where the system gives no more processes or files.
    init(_ make: () throws -> [SimulatedDevice]) throws {
        let (toChild, fromChild) = (try Self.pipe(), try Self.pipe())
        guard try Self.fork() == 0 else {
            close(toChild.reads)
            close(fromChild.writes)
            (orders, told) = (toChild.writes, fromChild.reads)
            return
        }
        close(toChild.writes)
        close(fromChild.reads)
        (orders, told) = (-1, -1)
        do {
            try Self.run(make(), orders: toChild.reads, figures: fromChild.writes)
            exit(0)
        } catch {
            print("household-load: \(error)")
            exit(1)
        }
    }

    /// Hears of the figures from now on, on a thread of its own.
    func listen() {
        Thread { [self] in
            while let new = Self.read(from: told) { figures.withLock { $0 = new } }
            figures.withLock { $0.hasFailed = true }
        }.start()
    }

    /// Swift leaves fork(2) out, since a copy of a process has one of its threads alone. There are no others yet.
    private static func fork() throws -> pid_t {
        typealias Fork = @convention(c) () -> pid_t
        guard let function = dlsym(nil, "fork") else { throw LoadFailure("this system has no fork") }
        let child = unsafeBitCast(function, to: Fork.self)()
        guard child >= 0 else { throw LoadFailure("fork: \(String(cString: strerror(errno)))") }
        return child
    }

    private static func pipe() throws -> (reads: CInt, writes: CInt) {
        var ends: [CInt] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw LoadFailure("pipe: \(String(cString: strerror(errno)))") }
        return (ends[0], ends[1])
    }

    private static func read(from pipe: CInt) -> Figures? {
        var figures = Figures()
        let count = withUnsafeMutableBytes(of: &figures) { Glibc.read(pipe, $0.baseAddress, $0.count) }
        return count == MemoryLayout<Figures>.size && !figures.hasFailed ? figures : nil
    }

    // MARK: - In the new process

    private static func run(_ devices: [SimulatedDevice], orders: CInt, figures: CInt) throws {
        _ = fcntl(orders, F_SETFL, O_NONBLOCK)
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
            switch nextOrder(from: orders) {
            case .open: for device in devices { device.open() }
            case .stop: return
            case nil: break
            }
            guard ContinuousClock.now - looked > .milliseconds(50) else { continue }
            looked = .now
            for device in devices { device.timePassed() }
            if let failure = devices.lazy.compactMap(\.failure).first { throw LoadFailure(failure) }
            guard tell(devices, to: figures) else { return }
        }
    }

    private static func nextOrder(from pipe: CInt) -> Order? {
        var byte: UInt8 = 0
        return Glibc.read(pipe, &byte, 1) == 1 ? Order(rawValue: byte) : nil
    }

    /// Waits until there is something to read or to write, and does it.
    private static func carry(_ devices: [SimulatedDevice], _ polled: inout [pollfd], patience: CInt) {
        for index in polled.indices {
            polled[index].events = Int16(POLLIN) | (devices[index].wantsToWrite ? Int16(POLLOUT) : 0)
        }
        guard poll(&polled, nfds_t(polled.count), patience) > 0 else { return }
        for index in polled.indices where polled[index].revents != 0 {
            devices[index].carry(reads: polled[index].revents & ~Int16(POLLOUT) != 0)
        }
    }

    /// - Returns: whether the main process is still there.
    private static func tell(_ devices: [SimulatedDevice], to pipe: CInt) -> Bool {
        var new = Figures()
        for device in devices {
            if device.isSubscribed { new.subscribed += 1 }
            if device.isOpen { new.open += 1 }
            new.locks += device.lockCount
        }
        return withUnsafeBytes(of: &new) { write(pipe, $0.baseAddress, $0.count) } > 0
    }
}
