import GateCore
import GateModel
import NIOCore

/// Compares the Unix users on the list of people with the user database of this device, and tells the core which of
/// them fit. A number may belong to somebody else than when an administrator put it on the list, so a person is
/// recognized only as long as the number has the name that the list says.
///
/// The database is asked on a thread, since it may be a directory on the network. It is asked again whenever the list
/// or `/etc/passwd` has changed, and when a program connects ten minutes or more after the last time. So the roles of
/// connected programs follow the database, although no command asks it. Confined to the event loop.
final class UserRecognition {
    /// How long a result counts while `/etc/passwd` does not change. Other databases say nothing about changes.
    private static let keptTime = TimeAmount.minutes(10)
    /// How long anything waits for the database at most. A program that connects is admitted then, and gets the roles
    /// of its user's person when the database has answered.
    private static let waitingTime = TimeAmount.seconds(2)

    private let pipeline: CommandPipeline
    private let sessions: Sessions
    private let users: UserDatabase
    private let path: String
    private let thread: SharedThread
    /// The file's version when the database was last asked.
    private var version: FileVersion?
    private var isKeptUntil = NIODeadline.distantPast
    /// The uids from the list that the database confirmed in its last answer; `nil` if it has not answered yet.
    private var answer: Set<UInt32>?
    /// The question that the thread is working on, and whether the database has to be asked again after that.
    private(set) var asking: (promise: EventLoopPromise<Void>, isOutdated: Bool)?

    private var eventLoop: any EventLoop { pipeline.context.eventLoop }

    init(
        _ pipeline: CommandPipeline, _ sessions: Sessions, users: UserDatabase, path: String, thread: SharedThread
    ) {
        (self.pipeline, self.sessions, self.users, self.path) = (pipeline, sessions, users, path)
        self.thread = thread
    }

    /// Looks a user's number up in the database, and calls `then` with it; `nil` if there is no such user. The error
    /// says that the database did not answer within `waitingTime`.
    func find(_ name: String, then: @escaping (Result<UInt32?, GateError>) -> Void) {
        let found = eventLoop.makePromise(of: Result<UInt32?, GateError>.self)
        inTime(found.futureResult, orElse: .failure(.userDatabaseIsLate)).assumeIsolated().whenSuccess(then)
        pipeline.context.openWork.began()
        thread.urgently { [users] in
            users.uid(name)
        } then: { [context = pipeline.context] in
            found.succeed(.success($0))
            context.openWork.ended()
        }
    }

    /// Succeeds like `answer`, or after `waitingTime` with `late`.
    private func inTime<Value: Sendable>(
        _ answer: EventLoopFuture<Value>, orElse late: Value
    ) -> EventLoopFuture<Value> {
        let waiting = eventLoop.makePromise(of: Value.self)
        let tooLate = eventLoop.scheduleTask(in: Self.waitingTime) { waiting.succeed(late) }
        answer.whenSuccess {
            tooLate.cancel()
            waiting.succeed($0)
        }
        return waiting.futureResult
    }

    /// The list of people, or which of its users are recognized, may have changed. If the core has forgotten the
    /// database's answer, as after a restore of the very same list, the database is asked again.
    func stateChanged(from before: GateState, to state: GateState) {
        let isOtherList = !before.hasSamePeople(as: state)
        let isOtherRecognition = before.recognizedUsers != state.recognizedUsers
        guard isOtherList || isOtherRecognition else { return }
        if isOtherList || state.recognizedUsers != answer { ask() }
        sessions.peopleChanged()
    }

    /// Called when a program connects. Returns `nil` if the last answer still counts; otherwise a future that succeeds
    /// when the database has answered, or after `waitingTime`.
    func refreshed() -> EventLoopFuture<Void>? {
        guard isOnList else { return nil }
        if asking == nil {
            guard !isKept else { return nil }
            ask()
        }
        return asking.map { inTime($0.promise.futureResult, orElse: ()) }
    }

    /// A file in the directory of `path` has changed. If it is the file at `path`, the database is asked again, because
    /// uids may belong to other users now, those of connected programs included.
    func directoryChanged() {
        guard isOnList, !isKept else { return }
        ask()
    }

    private var isOnList: Bool { pipeline.head.records.people.values.contains { $0.person.user != nil } }

    private var isKept: Bool {
        isKeptUntil > eventLoop.now && version?.isSettled == true && version == FileVersion(of: path)
    }

    /// Calls `body` when the database has answered, after `waitingTime` at the latest, and at once if it is not being
    /// asked. `body` answers a call whose change is durable by then, so a late database is no error to it.
    func whenAnswered(_ body: @escaping () -> Void) {
        guard let asking else { return body() }
        inTime(asking.promise.futureResult, orElse: ()).assumeIsolated().whenSuccess(body)
    }

    /// If the database is being asked already, it is asked once more afterwards.
    func ask() {
        guard asking == nil else {
            asking?.isOutdated = true
            return
        }
        asking = (eventLoop.makePromise(), false)
        askDatabase()
    }

    private func askDatabase() {
        asking?.isOutdated = false
        version = FileVersion(of: path)
        isKeptUntil = eventLoop.now + Self.keptTime
        let listed = pipeline.head.records.people.values.compactMap(\.person.user).filter(\.canBePersons)
        guard !listed.isEmpty else { return tell([]) }
        pipeline.context.openWork.began()
        thread.urgently { [users] in
            let found = listed.filter { user in
                users.name(user.uid).map { GatePerson.UnixUser(name: $0, uid: user.uid) } == user
            }
            return Set(found.map(\.uid))
        } then: { [self] recognized in
            tell(recognized)
            pipeline.context.openWork.ended()
        }
    }

    /// Tells the core which users are recognized. If that can't be recorded, the next program that connects asks again.
    private func tell(_ recognized: Set<UInt32>) {
        answer = recognized
        guard recognized != pipeline.head.recognizedUsers else { return ended() }
        pipeline.submit(.people(.usersChecked(recognized: recognized)), as: .daemon) { [self] result in
            if case .failure = result { isKeptUntil = .distantPast }
            ended()
        }
    }

    /// The core has the database's answer, or could not record it. If the list has changed meanwhile, the database is
    /// asked again.
    private func ended() {
        if asking?.isOutdated ?? false { return askDatabase() }
        let answered = asking?.promise
        asking = nil
        answered?.succeed()
    }
}

extension GateError {
    fileprivate static let userDatabaseIsLate = GateError(
        .deadlineExceeded, .expired,
        "This device's user database did not answer in time, so nothing was changed. Try again, or see whether `getent passwd` answers."
    )
}
