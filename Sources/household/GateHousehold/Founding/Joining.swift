package import GateModel

/// Joins a household over the broker, on the newcomer, from the code to the inviting device's answer.
package struct Joining: Sendable {
    private let code: JoinCode
    private let link: JoinLink
    private let clock: @Sendable () -> BootTime
    private let sleep: @Sendable (Duration) async -> Void

    private static let authorityTime = Duration.seconds(10)
    /// How long to wait if a person is asked: as long as the code is valid, and a little longer.
    private static let askingTime = JoinCode.life + .seconds(20)
    /// How long to wait for an answer to each of the `attempts` requests.
    private static let answerTime = Duration.seconds(10)
    private static let attempts = 3

    package init(
        _ code: JoinCode, over link: JoinLink, clock: @escaping @Sendable () -> BootTime,
        sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        (self.code, self.link, self.clock, self.sleep) = (code, link, clock, sleep)
    }

    /// Finds the household and its authority's certificate, in DER, at the broker, which need not be trusted for that:
    /// only a certificate with the code's fingerprint is accepted.
    /// - Throws: `broker` or `otherAuthority`.
    package func authority() async throws(FoundingError) -> (certificate: [UInt8], household: HouseholdID) {
        let channel = try await link.open(code.host, code.port, .anyone, [JoinTopic.anyAuthority])
        defer { channel.close() }
        var events = Timed(channel.events, sleep: sleep)
        // One limit for all messages together, so that a broker that keeps sending others can't hold this device up.
        let end = clock().advanced(by: Self.authorityTime)
        while clock() < end, let event = await events.next(within: clock().duration(to: end)) {
            switch event {
            case .lost(let why): throw .broker(why)
            case .message(let message):
                // Several households may use one broker.
                guard let household = JoinTopic.household(ofAuthority: message.topic),
                    code.isOfAuthority(message.payload)
                else { continue }
                return (message.payload, household)
            }
        }
        throw .otherAuthority
    }

    /// Asks the inviting device, and waits for its answer. `authority` is the path of a file with the authority's
    /// certificate. `isAsking` is called once if a person is asked there, with the number that both devices show.
    /// `take` makes this device a member; when it returns, a receipt is sent to the inviting device.
    /// - Throws: `broker`, `brokerRefuses`, `refused`, `badAnswer`, `noAnswer`, and what `take` throws.
    package func join<Result>(
        _ request: JoinRequest, household: HouseholdID, authority: String,
        isAsking: (CheckNumber) -> Void = { _ in },
        take: (JoinAdmission) async throws(FoundingError) -> Result
    ) async throws(FoundingError) -> Result {
        let channel = try await link.open(
            code.host, code.port, .newcomer(authority: authority), [JoinTopic.answer(code.place, in: household)])
        defer { channel.close() }
        var newcomer = NewcomerStateMachine(code, request)
        var events = Timed(channel.events, sleep: sleep)
        var attempt = 0
        var number: CheckNumber?
        while attempt < Self.attempts, number == nil {
            attempt += 1
            try await channel.publish(
                JoinTopic.request(code.place, in: household), newcomer.request, expiry: Self.answerTime)
            var end = clock().advanced(by: Self.answerTime)
            while clock() < end, let event = await events.next(within: clock().duration(to: end)) {
                guard case .message(let message) = event else {
                    if case .lost(let why) = event { throw .broker(why) }
                    continue
                }
                switch newcomer.messageArrived(message.payload) {
                case .dropped: continue
                case .refused(let refusal): throw .refused(refusal)
                case .unreadable: throw .badAnswer("form")
                case .asking(let told):
                    // The inviting device may send this message twice.
                    guard number == nil else { continue }
                    number = told
                    end = clock().advanced(by: Self.askingTime)
                    isAsking(told)
                case .admitted(let admission):
                    let result = try await take(admission)
                    if let receipt = newcomer.receipt {
                        // This device is a member even if this receipt does not reach the inviting device.
                        try? await channel.publish(
                            JoinTopic.request(code.place, in: household), receipt, expiry: Self.answerTime)
                    }
                    return result
                }
            }
        }
        throw .noAnswer
    }
}
