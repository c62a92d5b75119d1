import CEpoll
public import Dispatch
import HeapModule
public import NIOCore
import Synchronization

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Receives the events of one descriptor that an `EpollLoop` watches.
public protocol EpollSource: AnyObject {
    /// The descriptor is ready. Called on the loop.
    func ready(_ readiness: Readiness)
}

public struct Readiness: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// There is something to read, or the end of the stream.
    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer has closed, or the descriptor has failed. This is always reported.
    public static let hungUp = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}

/// An event loop on epoll(7) with its own thread. It waits for descriptors and deadlines, and runs the work that it was
/// given. All work is done before the loop looks at its descriptors again. A timer that is set meanwhile rings after
/// that look, even if it is due at once. So work that continues by timers never keeps a descriptor waiting.
///
/// It is also an executor of Swift, for the jobs of actors that have it as theirs, and of tasks that prefer `tasks`.
public final class EpollLoop: NIOSerialEventLoopExecutor, @unchecked Sendable {
    private enum Work {
        case task(@Sendable () -> Void)
        case job(UnownedJob)
    }

    private struct Inbox {
        var work: [Work] = []
        var isClosed = false
    }

    /// A source, and how often its slot was reused: a late event of an earlier source does not reach the next one.
    private struct Slot {
        var source: (any EpollSource)?
        var generation: UInt32 = 0
    }

    /// Identifies a watched source, for `change` and `forget`.
    public struct Watch: Sendable {
        let descriptor: CInt
        fileprivate let slot: Int
        fileprivate let data: UInt64
    }

    /// An executor for tasks that belong to no actor.
    public var tasks: any TaskExecutor { taskExecutor }

    private let taskExecutor = LoopTasks()
    private let epoll: CInt
    private let wakeUp: CInt
    private let inbox = Mutex(Inbox())
    private let thread = Atomic<UInt>(0)
    private let timerCount = Atomic<UInt64>(0)
    /// A buffer that sources read into, one after the other. It holds nothing between two of them. It is small because
    /// each connection keeps a copy of the bytes that it can't process yet, up to all that were read.
    public let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)

    // These are used only on the loop's thread.
    private var work: [Work] = []
    private var timers = TimerQueue()
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var isEnding = false
    private var whenEnded: [@Sendable () -> Void] = []

    /// The data of the event that other threads cause when they add work.
    private static let wakeUpData = UInt64.max
    private static let eventCount = 128

    /// Starts the thread. Its name is seen in ps(1), and has at most 15 bytes.
    /// - Throws: `IOError` if no descriptor or thread can be made.
    public init(name: String) throws(IOError) {
        epoll = epoll_make()
        wakeUp = wake_up_make()
        guard epoll >= 0, wakeUp >= 0,
            epoll_watch(epoll, wakeUp, EPOLLIN.rawValue | EPOLLET.rawValue, Self.wakeUpData) == 0
        else { throw IOError(errnoCode: errno, reason: "epoll_create1") }
        taskExecutor.loop = self
        try startThread { [self] in
            name_thread(name)
            run()
        }
    }

    deinit {
        for descriptor in [epoll, wakeUp] where descriptor >= 0 { closeDescriptor(descriptor) }
        readBuffer.deallocate()
    }

    // MARK: Descriptors

    /// Watches a descriptor, which the caller still owns. Call it on the loop, which keeps the source until `forget`.
    /// - Throws: `IOError` if the kernel can't watch another one.
    public func watch(
        _ descriptor: CInt, for readiness: Readiness, _ source: any EpollSource
    ) throws(IOError) -> Watch {
        assertInEventLoop()
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(Slot()) }
        let data = UInt64(slots[slot].generation) << 32 | UInt64(slot)
        guard epoll_watch(epoll, descriptor, readiness.rawValue, data) == 0 else {
            let code = errno
            freeSlots.append(slot)
            throw IOError(errnoCode: code, reason: "epoll_ctl")
        }
        slots[slot].source = source
        return Watch(descriptor: descriptor, slot: slot, data: data)
    }

    /// Changes what a descriptor is watched for. If that is nothing, the closing of the peer is reported to the source
    /// only once.
    public func change(_ watch: Watch, to readiness: Readiness) {
        assertInEventLoop()
        let events = readiness.isEmpty ? EPOLLET.rawValue : readiness.rawValue
        _ = epoll_change(epoll, watch.descriptor, events, watch.data)
    }

    /// Stops watching. Call this before the descriptor is closed.
    public func forget(_ watch: Watch) {
        assertInEventLoop()
        epoll_forget(epoll, watch.descriptor)
        slots[watch.slot].source = nil
        slots[watch.slot].generation &+= 1
        freeSlots.append(watch.slot)
    }

    // MARK: Running

    private func run() {
        thread.store(currentThread(), ordering: .relaxed)
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventCount) { events in
            while true {
                doWhatIsDue()
                guard !isEnding else { return }
                let count = epoll_await(epoll, events.baseAddress, CInt(events.count), timers.nanosecondsToNext)
                for event in events[..<Int(count)] { happened(event.data.u64, Readiness(rawValue: event.events)) }
            }
        }
        // Sources and what waits for them may keep each other in memory.
        slots = []
        for timer in timers.takeAll() { timer.end() }
        thread.store(0, ordering: .relaxed)
        for ended in whenEnded { ended() }
    }

    private func happened(_ data: UInt64, _ readiness: Readiness) {
        guard data != Self.wakeUpData else {
            work += inbox.withLock { inbox in
                defer { inbox.work = [] }
                return inbox.work
            }
            return
        }
        let slot = slots[Int(data & 0xFFFF_FFFF)]
        if slot.generation == UInt32(data >> 32) { slot.source?.ready(readiness) }
    }

    private func doWhatIsDue() {
        timers.takeDue { timer in work.append(.task { timer.ring() }) }
        while !work.isEmpty {
            var batch: [Work] = []
            swap(&batch, &work)
            for item in batch {
                switch item {
                case .task(let task): task()
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                }
            }
            // This comes first, because objects that are released here may add work.
            batch.removeAll(keepingCapacity: batch.capacity < 1024)
            if work.isEmpty { work = batch }
        }
    }

    private func add(_ item: Work) {
        guard !inEventLoop else { return work.append(item) }
        let isFirst = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.work.append(item)
            return inbox.work.count == 1
        }
        if isFirst { wake_up(wakeUp) }
    }

    /// Runs the work that was added before, then ends the thread and returns. Later work is dropped.
    public func end() async {
        await withCheckedContinuation { continuation in
            execute { self.beginEnd { continuation.resume() } }
        }
    }

    private func beginEnd(_ ended: @escaping @Sendable () -> Void) {
        isEnding = true
        inbox.withLock { $0.isClosed = true }
        whenEnded.append(ended)
    }

    // MARK: As an event loop

    public var inEventLoop: Bool { thread.load(ordering: .relaxed) == currentThread() }

    public func execute(_ task: @escaping @Sendable () -> Void) {
        add(.task(task))
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    public func scheduleTask<Result>(
        deadline: NIODeadline, _ task: @escaping @Sendable () throws -> Result
    ) -> Scheduled<Result> {
        let promise = makePromise(of: Result.self)
        let timer = LoopTimer(deadline, number: nextTimer()) {
            do {
                promise.assumeIsolated().succeed(try task())
            } catch {
                promise.fail(error)
            }
        } end: {
            promise.fail(EventLoopError.shutdown)
        }
        onLoop { self.timers.add(timer) }
        return Scheduled(promise: promise) {
            self.onLoop { if timer.cancel() { self.timers.ended(timer) } }
        }
    }

    public func scheduleTask<Result>(
        in delay: TimeAmount, _ task: @escaping @Sendable () throws -> Result
    ) -> Scheduled<Result> {
        scheduleTask(deadline: .now() + delay, task)
    }

    /// Makes no promise, since nothing would use it.
    @discardableResult
    public func scheduleCallback(
        at deadline: NIODeadline, handler: some (NIOScheduledCallbackHandler & Sendable)
    ) -> NIOScheduledCallback {
        let number = nextTimer()
        let timer = LoopTimer(deadline, number: number) {
            handler.handleScheduledCallback(eventLoop: self)
        } end: {
            handler.didCancelScheduledCallback(eventLoop: self)
        }
        onLoop { self.timers.add(timer) }
        return NIOScheduledCallback(self, id: number)
    }

    public func cancelScheduledCallback(_ callback: NIOScheduledCallback) {
        guard let number = callback.customCallbackID else { return }
        onLoop {
            guard let timer = self.timers.timer(number) else { return }
            timer.end()
            self.timers.ended(timer)
        }
    }

    private func nextTimer() -> UInt64 { timerCount.add(1, ordering: .relaxed).newValue }

    private func onLoop(_ body: @escaping @Sendable () -> Void) {
        if inEventLoop { body() } else { execute(body) }
    }

    public func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        execute { self.beginEnd { queue.async { callback(nil) } } }
    }
}

/// Runs the jobs of tasks on an event loop. The loop itself can't, because Swift does not treat a task on an executor
/// as being on an actor that has the same one. The loop retains this, since Swift does not.
private final class LoopTasks: TaskExecutor, @unchecked Sendable {
    /// Set once, before there is a task.
    unowned var loop: EpollLoop?

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop?.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Calls close(2) where another function has that name.
private func closeDescriptor(_ descriptor: CInt) {
    close(descriptor)
}

private func currentThread() -> UInt {
    #if canImport(Musl)
    UInt(bitPattern: pthread_self())
    #else
    pthread_self()
    #endif
}

private func startThread(_ body: @escaping () -> Void) throws(IOError) {
    final class Body {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(body))
    let code = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<Body>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, context.toOpaque())
    guard code == 0 else {
        context.release()
        throw IOError(errnoCode: code, reason: "pthread_create")
    }
    pthread_detach(thread)
}
