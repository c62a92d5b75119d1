import GateClient
import GateGuardians
import GateHousehold
import GateModel
import GateTexts

/// The household's list, revoked certificates and policy at the broker; each is `nil` if the broker keeps none.
struct BrokersCopies {
    private static let time = Duration.seconds(10)

    var list: HouseholdList?
    var revoked: [UInt8]?
    var policy: HouseholdPolicy?

    /// Ignores a list or a policy that the household's key has not signed.
    /// - Throws: `broker` or `brokerRefuses`.
    init(_ keeping: HouseholdKeeping, _ session: FoundingSession) async throws(FoundingError) {
        let settings = keeping.settings
        let topics = [HouseholdTopic.guardians, .revokedCertificates, .policy].map { $0.text(in: settings.household) }
        let echo = JoinTopic.echo(in: settings.household)
        let channel = try await session.link.open(
            settings.broker.host, settings.broker.port, .device(folder: session.directory.folder), topics + [echo])
        defer { channel.close() }
        var kept: [String: [UInt8]] = [:]
        try await channel.hearKept(echo: echo, within: Self.time, sleep: FoundingSession.sleep) {
            kept[$0.topic] = $0.payload
        }
        let key = keeping.secret.signingKey.publicKey
        list = kept[topics[0]].flatMap { try? HouseholdList(signed: $0, by: key) }
        revoked = kept[topics[1]]
        policy = kept[topics[2]].flatMap { try? HouseholdPolicy(signed: $0, by: key) }
    }
}

extension FoundingSession {
    /// Updates this device's files before anything is signed, to the newest list that the broker or this device's gated
    /// knows. With files of a backup, devices that were revoked since would become members again. `revoked` is a list
    /// of revoked certificates of the broker's, read from a file. Returns what the broker keeps.
    /// - Throws: `replaced`; `broker` or a `GateError` if nobody can tell whether the files are the newest.
    @discardableResult
    func takeUpNewest(revoked: [UInt8]? = nil) async throws -> BrokersCopies {
        let keeping = try directory.keeping()
        let known = try await listOfDaemon(of: keeping)
        let copies: BrokersCopies
        do {
            copies = try await BrokersCopies(keeping, self)
        } catch {
            note(
                localized(
                    "Nothing was changed: without the broker nobody knows whether this device has the newest list, and a new one made from an older one would undo what was revoked since."
                ))
            throw error
        }
        let taken = try directory.alone { () throws(FoundingError) -> (old: UInt64, new: HouseholdKeeping)? in
            var keeping = try directory.keeping()
            let old = keeping.list.number
            let files = try keeping.takeUp(
                [known, copies.list].compactMap(\.self), revocations: [revoked, copies.revoked].compactMap(\.self),
                now: .now())
            guard !files.isEmpty else { return nil }
            try directory.replace(files)
            return (old, keeping)
        }
        if let taken, taken.new.list.number > taken.old {
            tell(taken.old, taken.new, hasRevoked: copies.revoked != nil)
        }
        return copies
    }

    /// Passes a list that was made here to gated, before any other device hears of it. Returns the household with its
    /// newest list, which another command on this device may have made from this one meanwhile.
    /// - Throws: `overtaken` if gated knows a newer list that is not in the files.
    func bringIntoForce(_ keeping: HouseholdKeeping) async throws(FoundingError) -> HouseholdKeeping {
        let isOutdated = await bringIntoForce(keeping.signedList)
        let newest = try directory.keeping()
        guard isOutdated, newest.list.number == keeping.list.number else { return newest }
        // gate-household may have passed the same list to gated first.
        let known = try? await state(of: keeping.secret)
        guard known?.listNumber == keeping.list.number, known?.members == keeping.list.members else { throw .overtaken }
        return newest
    }

    /// The list that this device's gated believes; `nil` if it has none of this household.
    private func listOfDaemon(of keeping: HouseholdKeeping) async throws(GateError) -> HouseholdList? {
        guard let state = try await state(of: keeping.secret), let expires = state.listExpires else { return nil }
        return HouseholdList(
            household: state.household, number: state.listNumber,
            issued: expires.advanced(by: .zero - HouseholdList.longestLife), expires: expires, members: state.members)
    }

    /// The household with this secret, as this device's gated knows it; `nil` if gated has no list of it.
    func state(of secret: HouseholdSecret) async throws(GateError) -> HouseholdState? {
        do throws(GateError) {
            let state = try await gate.household.state()
            return state.household == secret.household && state.listNumber > 0 ? state : nil
        } catch {
            guard error.reason == .notSetUp else { throw error }
            return nil
        }
    }

    private func tell(_ old: UInt64, _ keeping: HouseholdKeeping, hasRevoked: Bool) {
        note(
            localized(
                "The files here had list {old}, and the newest one is {new}: was a backup restored? The newest one was taken up.",
                ["old": "\(old)", "new": "\(keeping.list.number)"]))
        let unknown = keeping.membersWithoutCertificates.map(\.name)
        if !unknown.isEmpty {
            note(
                localized(
                    "These devices joined after the backup, and their certificates can't be renewed from here. Let them join anew within a year: {names}",
                    ["names": ListText.things(unknown)]))
        }
        if !hasRevoked, !keeping.revokedWithoutCertificates.isEmpty {
            note(
                localized(
                    "The certificates of some revoked devices are not known here. Do not copy revoked.pem to the broker yet: copy the broker's own one here first, and run: gatectl household renew --revoked FILE"
                ))
        }
    }
}
