package import GateModel

/// The newcomer's side of joining, from the code to the inviting device's answer.
package struct Joining: Sendable {
    private let code: JoinCode
    private let link: JoinLink
    private let sleep: @Sendable (Duration) async -> Void

    /// So long the authority's certificate is waited for.
    private static let authorityTime = Duration.seconds(10)
    /// So long an answer is waited for, three times.
    private static let answerTime = Duration.seconds(10)
    private static let attempts = 3

    /// Makes a newcomer with this code.
    package init(
        _ code: JoinCode, over link: JoinLink, sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        (self.code, self.link, self.sleep) = (code, link, sleep)
    }

    /// Looks for the household's authority at the broker. Anyone may be that broker: the code's fingerprint says what is believed.
    ///
    /// - Returns: the certificate in DER, and the household whose it is.
    /// - Throws: `broker`, `otherAuthority`.
    package func authority() async throws(FoundingError) -> (certificate: [UInt8], household: HouseholdID) {
        let channel = try await link.open(code.host, code.port, .anyone, [JoinTopic.anyAuthority])
        defer { channel.close() }
        var events = Timed(channel.events, sleep: sleep)
        while let event = await events.next(within: Self.authorityTime) {
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
    ///   - take: becomes a member; when it returns, the inviting device is told.
    /// - Throws: `broker`, `refused`, `badAnswer`, `noAnswer`, and what `take` throws.
    package func join<Result>(
        _ request: JoinRequest, household: HouseholdID, authority: String,
        take: (JoinAdmission) async throws(FoundingError) -> Result
    ) async throws(FoundingError) -> Result {
        let channel = try await link.open(
            code.host, code.port, .newcomer(authority: authority), [JoinTopic.answer(code.slot, in: household)])
        defer { channel.close() }
        var newcomer = NewcomerStateMachine(code, request)
        var events = Timed(channel.events, sleep: sleep)
        for _ in 0..<Self.attempts {
            try await channel.publish(
                JoinTopic.request(code.slot, in: household), newcomer.request, expiry: Self.answerTime)
            while let event = await events.next(within: Self.answerTime) {
                guard case .message(let message) = event else {
                    if case .lost(let why) = event { throw .broker(why) }
                    continue
                }
                switch newcomer.messageArrived(message.payload) {
                case .dropped: continue
                case .refused(let refusal): throw .refused(refusal)
                case .unreadable: throw .badAnswer("form")
                case .admitted(let admission):
                    let result = try await take(admission)
                    if let receipt = newcomer.receipt {
                        // It is a member, even where the inviting device does not hear of it.
                        try? await channel.publish(
                            JoinTopic.request(code.slot, in: household), receipt, expiry: Self.answerTime)
                    }
                    return result
                }
            }
        }
        throw .noAnswer
    }
}
