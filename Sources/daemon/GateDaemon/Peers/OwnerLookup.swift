import GateModel
import NIOCore

/// Finds out who is billed for a peer when it connects. Accounts may be in a directory on a network, which answers late or never: so they
/// are looked up on a thread of their own, the answer is kept for a while, and a look-up that takes too long bills that uid alone.
///
/// Confined to the event loop.
final class OwnerLookup: @unchecked Sendable {
    /// How long an answer is kept. Accounts come and go; one that is not there yet may be there soon.
    private static let (keptTime, keptTimeWithoutAccount) = (TimeAmount.minutes(10), TimeAmount.seconds(30))
    /// Answers that are kept. Of more, all are forgotten and found anew.
    private static let keptCount = 4096
    /// How long a peer waits for it.
    private static let lookUpTime = TimeAmount.seconds(2)
    /// Peers of one uid that wait at a time, and of all: as many as may be connected. More are hung up on.
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

    /// Fails where too many wait for an answer already.
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

    /// Blocks; from any thread.
    func refresh() { directory.refresh() }

    /// Forgets what was found: users may have changed with the policy.
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

    /// - Parameter owner: `nil`: nobody can say, so the uid is billed for itself, this once.
    private func found(_ owner: Owner?, of uid: UInt32) {
        if let owner {
            if kept.count >= Self.keptCount { kept = [:] }
            let time = owner == .withoutAccount ? Self.keptTimeWithoutAccount : Self.keptTime
            kept[uid] = Kept(owner: owner, until: eventLoop.now + time)
        }
        // Late: those who waited were let in when the time was over.
        lookUps.removeValue(forKey: uid)?.promise.succeed(owner ?? .user(uid))
    }
}
