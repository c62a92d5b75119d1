import FoundationEssentials
package import GateModel
import X509

/// Invites a newcomer over the broker, from the code to the newcomer's receipt.
package struct Inviting: Sendable {
    package struct Question {
        /// Why the newcomer can't be admitted, so that nobody is asked; `nil` if it can.
        package var refusal: (JoinRequest) throws(FoundingError) -> JoinRefusal?
        /// Asks the person whether to admit the newcomer, and returns the answer: `false` also if there is none within
        /// this time. Both devices show the number.
        package var ask: (JoinRequest, CheckNumber, _ within: Duration) async -> Bool

        package init(
            refusal: @escaping (JoinRequest) throws(FoundingError) -> JoinRefusal?,
            ask: @escaping (JoinRequest, CheckNumber, Duration) async -> Bool
        ) {
            self.refusal = refusal
            self.ask = ask
        }
    }

    package let code: JoinCode
    package let household: HouseholdID
    /// The connection to the broker that newcomers connect to.
    private let channel: JoinChannel
    /// Connects to the members' broker; `nil` if newcomers connect to that one, too.
    private let connectToMembers: (@Sendable () async throws(FoundingError) -> JoinChannel)?
    private let seed = JoinSeed()
    private var invitation: InvitationStateMachine
    private let deadline: BootTime

    /// Connects to the broker, and publishes the authority's certificate before anybody has the code: the broker may
    /// keep an old one, or none. `folder` has the household's files; the code is valid for ten minutes from `now` on.
    /// - Parameter joinBroker: how to connect to the broker for devices that join; `nil` if the members' broker has the
    ///   port for joining, as in older households.
    /// - Throws: `broker`, `brokerRefuses` or `badFile`.
    package init(
        _ keeping: HouseholdKeeping, folder: String, joinPort: UInt16, joinBroker: JoinLink.Identity? = nil,
        over link: JoinLink, now: BootTime
    ) async throws(FoundingError) {
        let settings = keeping.settings
        guard let authority = try? keeping.authorityBytes else {
            throw .badFile(path: "\(folder)/\(HouseholdFileName.authority)")
        }
        let code = JoinCode(host: settings.broker.host, port: joinPort, authority: authority, seed: seed)
        (self.code, household) = (code, settings.household)
        let (host, port) = (settings.broker.host, settings.broker.port)
        let requests = [JoinTopic.request(code.place, in: household)]
        if let joinBroker {
            channel = try await link.open(host, joinPort, joinBroker, requests)
            let list = [HouseholdTopic.guardians.text(in: household)]
            connectToMembers = { () async throws(FoundingError) -> JoinChannel in
                try await link.open(host, port, .device(folder: folder), list)
            }
        } else {
            channel = try await link.open(host, port, .device(folder: folder), requests)
            connectToMembers = nil
        }
        try await channel.publish(JoinTopic.authority(in: household), authority, isRetained: true)
        // A newcomer's message is not retained, so a message that the broker keeps there is a stranger's.
        try await channel.clear([JoinTopic.request(code.place, in: household)])
        invitation = InvitationStateMachine(code, seed, now: now)
        deadline = now.advanced(by: JoinCode.life)
    }

    /// Waits for a newcomer, asks `question` if it is not `nil`, and admits or refuses the newcomer. Once `admit`
    /// returns, its answer may be sent. Returns the request, and whether the newcomer has said that it is a member now.
    /// - Throws: `broker`; `brokerRefuses`; `late` if nobody came; `notAdmitted` if a newcomer was refused after a
    ///   person was asked; what `question` and `admit` throw.
    package consuming func newcomer(
        clock: @escaping @Sendable () -> BootTime, sleep: @escaping @Sendable (Duration) async -> Void,
        question: Question? = nil, admit: (JoinRequest) async throws(FoundingError) -> JoinAnswer
    ) async throws(FoundingError) -> (request: JoinRequest, hasConfirmed: Bool) {
        defer { channel.close() }
        let (household, place) = (household, code.place)
        var admitted: JoinRequest?
        var events = Timed(channel.events, sleep: sleep)
        var end = deadline
        while let event = await events.next(within: clock().duration(to: end)) {
            guard case .message(let message) = event else {
                guard case .lost(let why) = event else { continue }
                if let admitted { return (admitted, false) }
                throw .broker(why)
            }
            guard message.topic == JoinTopic.request(place, in: household), !message.isRetained else { continue }
            switch invitation.messageArrived(message.payload, at: clock()) {
            case .dropped: continue
            case .joined: if let admitted { return (admitted, true) }
            case .answer(let sealed):
                try await channel.publish(JoinTopic.answer(place, in: household), sealed, expiry: Self.answerLife)
            case .decide(let request):
                let refusal = try await refusal(of: request, question, clock)
                // If the members' broker can't be reached, this throws before the newcomer is on the list.
                let members = refusal == nil ? try await connectToMembers?() : nil
                defer { members?.close() }
                let answer = if let refusal { JoinAnswer.refused(refusal) } else { try await admit(request) }
                guard let sealed = invitation.decided(answer) else { continue }
                if case .admitted(let admission) = answer {
                    admitted = request
                    end = clock().advanced(by: Self.receiptTime)
                    // The other devices learn of the newcomer before it says anything.
                    try await (members ?? channel).publish(
                        HouseholdTopic.guardians.text(in: household), admission.list, isRetained: true)
                }
                try await channel.publish(JoinTopic.answer(place, in: household), sealed, expiry: Self.answerLife)
                if case .refused(let refusal) = answer, invitation.isOver {
                    throw .notAdmitted(name: request.name, refusal)
                }
            }
        }
        invitation.deadlineReached()
        guard let admitted else { throw .late }
        return (admitted, false)
    }

    /// Why a newcomer is not admitted: by itself, or because a person said no.
    private mutating func refusal(
        of request: JoinRequest, _ question: Question?, _ clock: @Sendable () -> BootTime
    ) async throws(FoundingError) -> JoinRefusal? {
        guard let question else { return nil }
        if let refusal = try question.refusal(request) { return refusal }
        try await tellThatAsked()
        guard await question.ask(request, CheckNumber(request, seed), clock().duration(to: deadline)) else {
            return .declined
        }
        // If the connection was lost while the person thought, this throws before the newcomer is on the list.
        try await tellThatAsked()
        return nil
    }

    private mutating func tellThatAsked() async throws(FoundingError) {
        guard let sealed = invitation.asked() else { return }
        try await channel.publish(JoinTopic.answer(code.place, in: household), sealed, expiry: Self.answerLife)
    }

    /// How long the newcomer has to confirm that it got its answer.
    private static let receiptTime = Duration.seconds(60)
    private static let answerLife = Duration.seconds(60)
}

/// The events of a stream, with a limit on the wait for each.
struct Timed<Element: Sendable> {
    private enum Item: Sendable {
        case element(Element)
        case ended
        case timeout(Int)
    }

    private let items: AsyncStream<Item>
    private var iterator: AsyncStream<Item>.Iterator
    private let put: AsyncStream<Item>.Continuation
    private let sleep: @Sendable (Duration) async -> Void
    private let reading: Task<Void, Never>
    private var wait = 0

    init(_ stream: AsyncStream<Element>, sleep: @escaping @Sendable (Duration) async -> Void) {
        let (items, put) = AsyncStream.makeStream(of: Item.self)
        (self.items, self.put, self.sleep) = (items, put, sleep)
        iterator = items.makeAsyncIterator()
        reading = Task {
            for await element in stream { put.yield(.element(element)) }
            put.yield(.ended)
        }
    }

    /// The next event; `nil` if the time is over, or the stream has ended.
    mutating func next(within duration: Duration) async -> Element? {
        wait += 1
        let timer = Task { [put, sleep, wait] in
            await sleep(max(.zero, duration))
            if !Task.isCancelled { put.yield(.timeout(wait)) }
        }
        defer { timer.cancel() }
        while let item = await iterator.next() {
            switch item {
            case .element(let element): return element
            case .ended: return nil
            case .timeout(let number) where number == wait: return nil
            case .timeout: continue
            }
        }
        return nil
    }
}
