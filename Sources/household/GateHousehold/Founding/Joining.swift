package import GateModel

/// The newcomer's side of joining, from the code to the inviting device's answer.
package struct Joining: Sendable {
    private let code: JoinCode
    private let link: JoinLink
    private let clock: @Sendable () -> BootTime
    private let sleep: @Sendable (Duration) async -> Void

    /// So long the authority's certificate is waited for.
    private static let authorityTime = Duration.seconds(10)
    /// So long the answer of a person is waited for, who is asked: as long as the code is good, and a little longer.
    private static let askingTime = JoinCode.life + .seconds(20)
    /// So long an answer is waited for, three times.
    private static let answerTime = Duration.seconds(10)
    private static let attempts = 3

    /// Makes a newcomer with this code.
    package init(
        _ code: JoinCode, over link: JoinLink, clock: @escaping @Sendable () -> BootTime,
        sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        (self.code, self.link, self.clock, self.sleep) = (code, link, clock, sleep)
    }

    /// Looks for the household's authority at the broker. Anyone may be that broker: the code's fingerprint says what is believed.
    ///
    /// - Returns: the certificate in DER, and the household whose it is.
    /// - Throws: `broker`, `otherAuthority`.
    package func authority() async throws(FoundingError) -> (certificate: [UInt8], household: HouseholdID) {
        let channel = try await link.open(code.host, code.port, .anyone, [JoinTopic.anyAuthority])
        defer { channel.close() }
        var events = Timed(channel.events, sleep: sleep)
        // Whatever else comes meanwhile: a broker that goes on talking keeps nobody here.
        let end = clock().advanced(by: Self.authorityTime)
        while clock() < end, let event = await events.next(within: clock().duration(to: end)) {
            switch event {
            case .lost(let why): throw .broker(why)
            case .message(let message):
                // More than one household may meet at a broker.
                guard let household = JoinTopic.household(ofAuthority: message.topic),
                    code.isOfAuthority(message.payload)
                else { continue }
                return (message.payload, household)
            }
        }
        throw .otherAuthority
    }

    /// Asks the inviting device, and waits for its answer.
    ///
    /// - Parameters:
    ///   - request: what this device says of itself.
    ///   - household: as `authority` has found it.
    ///   - authority: the file with the certificate.
    ///   - isAsking: is told once that a person is asked at the inviting device, with the number that it shows.
    ///   - take: becomes a member; when it returns, the inviting device is told.
    /// - Throws: `broker`, `refused`, `badAnswer`, `noAnswer`, and what `take` throws.
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
                    // It may be told twice.
                    guard number == nil else { continue }
                    number = told
                    end = clock().advanced(by: Self.askingTime)
                    isAsking(told)
                case .admitted(let admission):
                    let result = try await take(admission)
                    if let receipt = newcomer.receipt {
                        // It is a member, even where the inviting device does not hear of it.
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
