import GateModel
import NIOCore

/// Finds out who is billed for a peer when it connects. Accounts may be in a directory on the network that answers late
/// or never. So they are looked up on a separate thread, answers are kept for a while, and a peer whose look-up takes
/// too long is billed to its own uid. Confined to the event loop.
final class OwnerLookup: @unchecked Sendable {
    /// How long an answer is kept. It is shorter for a uid without an account, because an account may soon be added.
    private static let (keptTime, keptTimeWithoutAccount) = (TimeAmount.minutes(10), TimeAmount.seconds(30))
    /// How many answers are kept. If there are more, all are dropped and looked up again.
    private static let keptCount = 4096
    private static let lookUpTime = TimeAmount.seconds(2)
    /// How many peers of one uid, and in all, may wait: as many as may be connected. More are disconnected.
    static let (waitingCountOfUser, waitingCount) = (1024, 4096)

    private struct Kept {
        let owner: Owner
        let until: NIODeadline
    }

    private let eventLoop: any EventLoop
    private let directory: any OwnerDirectory
    let threads: any BlockingThreads
    private var kept: [UInt32: Kept] = [:]
    private var lookUps: [UInt32: (promise: EventLoopPromise<Owner>, waiting: Int)] = [:]
    private var waiting = 0

    init(eventLoop: any EventLoop, directory: any OwnerDirectory, threads: any BlockingThreads) {
        self.eventLoop = eventLoop
        self.directory = directory
        self.threads = threads
    }

    /// The future fails if too many peers wait already.
    func owner(of uid: UInt32) -> EventLoopFuture<Owner> {
        eventLoop.assertInEventLoop()
        if uid == 0 { return eventLoop.makeSucceededFuture(.user(uid)) }
        if let owner = directory.owner(inRanges: uid) { return eventLoop.makeSucceededFuture(owner) }
        if let kept = kept[uid], kept.until > eventLoop.now { return eventLoop.makeSucceededFuture(kept.owner) }
        guard waiting < Self.waitingCount, lookUps[uid]?.waiting ?? 0 < Self.waitingCountOfUser else {
            return eventLoop.makeFailedFuture(ChannelError.connectTimeout(.zero))
        }
        waiting += 1
        let found = lookUps[uid]?.promise.futureResult ?? lookUp(uid)
        lookUps[uid]?.waiting += 1
        found.whenComplete { _ in self.waiting -= 1 }
        return found
    }

    /// Reads the directory's ranges again. Blocks; can be called on any thread.
    func refresh() { directory.refresh() }

    /// Drops all kept answers. A reload calls this, since users may have changed, too.
    func forgetAll() {
        kept = [:]
    }

    private func lookUp(_ uid: UInt32) -> EventLoopFuture<Owner> {
        let promise = eventLoop.makePromise(of: Owner.self)
        lookUps[uid] = (promise, 0)
        let tooLate = eventLoop.scheduleTask(in: Self.lookUpTime) { self.found(nil, of: uid) }
        threads.submit { [eventLoop, directory] in
            let owner = directory.lookUp(uid)
            eventLoop.execute {
                tooLate.cancel()
                self.found(owner, of: uid)
            }
        }
        return promise.futureResult
    }

    /// - Parameter owner: `nil` if it can't be found out now. The uid is then billed to itself, and that is not kept.
    private func found(_ owner: Owner?, of uid: UInt32) {
        if let owner {
            if kept.count >= Self.keptCount { kept = [:] }
            let time = owner == .withoutAccount ? Self.keptTimeWithoutAccount : Self.keptTime
            kept[uid] = Kept(owner: owner, until: eventLoop.now + time)
        }
        // A late answer finds no promise any more: the peers that waited were admitted when the time was over.
        lookUps.removeValue(forKey: uid)?.promise.succeed(owner ?? .user(uid))
    }
}
