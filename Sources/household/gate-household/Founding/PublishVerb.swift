import ArgumentParser
import GateClient
import GateGuardians
import GateHousehold
import GateModel
import GatePolicy
import GateTexts
import Glibc

struct PublishVerb: FoundingVerb {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Give all devices of the household the same policy.",
        discussion: """
            DIRECTORY has policy.d, questions.d, questionnaires.d and release-notes.d, as /etc/gate has them, and nothing else. It is checked \
            together with this device's own policy, and what changes is shown before anything is published. Each device reads it together \
            with its own files, as a whole or not at all. An empty directory takes the policy back. As root, on the device that has the \
            household's key, while gated and the broker run.
            """)

    @Argument(help: ArgumentHelp("The directory with the policy.", valueName: "directory"), completion: .directory)
    var files: String

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(help: "Show what would change, and publish nothing.")
    var dryRun = false

    @Flag(help: "Print what changes as JSON. Needs --yes or --dry-run.")
    var json = false

    @OptionGroup var options: DeviceOptions

    func validate() throws {
        guard !json || yes || dryRun else { throw ValidationError("With --json, say --yes or --dry-run.") }
    }

    func perform(_ session: FoundingSession) async throws {
        let directory = session.directory
        let copies = try await session.takeUpNewest()
        let keeping = try directory.keeping()
        let files: [HouseholdPolicy.File]
        do throws(PolicyError) {
            files = try PolicyReader.householdFiles(directory: self.files, trustedOwners: [0, geteuid()])
        } catch {
            throw FoundingError.policy(problems: error.problems.map(\.description))
        }
        guard files.count <= HouseholdPolicy.maximumFiles else { throw FoundingError.tooManyFiles }
        let old = published(copies, keeping, session)
        let state = try await session.gate.household.state()
        let known = [old?.number, state.policyNumber, state.policyRefusal?.number].compactMap(\.self).max()
        let new = keeping.policy(files, after: known, now: .now())
        try check(new, keeping, session)
        let signed = keeping.signed(new)
        guard signed.count <= HouseholdLimits.policyBytes else {
            throw FoundingError.policyTooLarge(byteCount: signed.count)
        }
        let changes = HouseholdPolicyChanges(from: old, to: new)
        guard !dryRun, !changes.isNone else {
            return show(changes, from: old, to: new, isPublished: false, keeping, session)
        }
        if !json { show(changes, from: old, to: new, isPublished: false, keeping, session) }
        if !yes { try session.confirm(localized("Publish it to all devices? Type yes:")) }
        try await takeHere(signed, session)
        try directory.alone { () throws(FoundingError) in
            try directory.replace([HouseholdFile(HouseholdFileName.policy, signed, for: .service)])
        }
        try await publish(signed, keeping, session)
        if json {
            show(changes, from: old, to: new, isPublished: true, keeping, session)
        } else {
            session.line(
                localized(
                    "Policy {number} is published. `gatectl household devices` shows which devices have it.",
                    ["number": "\(new.number)"]))
        }
    }

    // MARK: - The one before

    /// The newest published policy: this device's copy or the broker's, which may come from a lost device that had the
    /// household's key before; `nil` if there is none.
    private func published(
        _ copies: BrokersCopies, _ keeping: HouseholdKeeping, _ session: FoundingSession
    ) -> HouseholdPolicy? {
        let key = keeping.secret.signingKey.publicKey
        let kept = session.directory.keptPolicy.flatMap { try? HouseholdPolicy(signed: $0, by: key) }
        return [kept, copies.policy].compactMap(\.self).max { $0.number < $1.number }
    }

    /// Checks the policy together with this device's own, if the device takes it, and prints warnings.
    /// - Throws: `policy`.
    private func check(
        _ policy: HouseholdPolicy, _ keeping: HouseholdKeeping, _ session: FoundingSession
    ) throws(FoundingError) {
        do throws(PolicyError) {
            let read =
                keeping.settings.takesPolicy
                ? try PolicyReader.read(
                    directory: session.directory.path,
                    shipped: PolicyReader.shippedDirectory(beside: session.directory.path),
                    trustedOwners: [0, geteuid()], household: policy)
                : try PolicyReader.read([], household: policy)
            for warning in read.warnings where warning.file.hasPrefix(policy.name) {
                session.note(localized("warning: {text}", ["text": warning.description]))
            }
        } catch {
            throw .policy(problems: error.problems.map(\.description))
        }
    }

    // MARK: - Showing

    private func show(
        _ changes: HouseholdPolicyChanges, from old: HouseholdPolicy?, to new: HouseholdPolicy, isPublished: Bool,
        _ keeping: HouseholdKeeping, _ session: FoundingSession
    ) {
        if json {
            let summary = Summary(
                number: new.number, replaces: old?.number, added: changes.added, changed: changes.changed,
                removed: changes.removed, published: isPublished)
            return session.line(String(decoding: SortedJSON.bytes(of: summary), as: UTF8.self))
        }
        guard !changes.isNone else { return session.line(localized("Nothing would change; nothing was published.")) }
        for path in changes.added { session.line(localized("added: {path}", ["path": path])) }
        for path in changes.changed { session.line(localized("changed: {path}", ["path": path])) }
        for path in changes.removed { session.line(localized("removed: {path}", ["path": path])) }
        let place = keeping.settings.takesPolicy ? session.directory.path : nil
        let (before, after) = (Self.lines(of: old, in: place), Self.lines(of: new, in: place))
        for line in before where !after.contains(line) { session.line("- \(line)") }
        for line in after where !before.contains(line) { session.line("+ \(line)") }
    }

    /// The settings in force with a policy, as `gated --check` prints them. If this device takes the policy, they are
    /// those of its own files, in `directory`, and the policy together. If `directory` is `nil`, they are those of the
    /// policy alone, without the defaults, because each device has other files of its own.
    private static func lines(of policy: HouseholdPolicy?, in directory: String?) -> [String] {
        if let directory,
            let read = try? PolicyReader.read(
                directory: directory, shipped: PolicyReader.shippedDirectory(beside: directory),
                trustedOwners: [0, geteuid()], household: policy)
        {
            return read.configuration.policyLines
        }
        let unsaid = (try? PolicyReader.read([], household: nil))?.configuration.policyLines ?? []
        return ((try? PolicyReader.read([], household: policy))?.configuration.policyLines ?? [])
            .filter { !unsaid.contains($0) }
    }

    private struct Summary: Encodable {
        var number: UInt64
        var replaces: UInt64?
        var added: [String]
        var changed: [String]
        var removed: [String]
        var published: Bool
    }

    // MARK: - Publishing

    /// Passes the policy to this device's gated first. A policy that gated refuses is not published. If this device
    /// takes no household policy, a note says so, and the policy is published all the same.
    private func takeHere(_ signed: [UInt8], _ session: FoundingSession) async throws(GateError) {
        do throws(GateError) {
            try await session.gate.household.submitPolicy(signed)
        } catch {
            guard error.reason == .notSetUp, error.parameters["what"] == "household-policy" else {
                if error.reason == .badPolicy { session.note(error.message) }
                throw error
            }
            session.note(RefusalText.sentence(error))
        }
    }

    private func publish(
        _ signed: [UInt8], _ keeping: HouseholdKeeping, _ session: FoundingSession
    ) async throws(FoundingError) {
        let settings = keeping.settings
        do throws(FoundingError) {
            let topic = HouseholdTopic.policy.text(in: settings.household)
            let channel = try await session.link.open(
                settings.broker.host, settings.broker.port, .device(folder: session.directory.folder), [topic])
            defer { channel.close() }
            try await channel.publish(topic, signed, isRetained: true)
        } catch {
            session.note(
                localized(
                    "The other devices were not told, because the broker did not take it. gate-household publishes it when it is connected again: systemctl restart gate-household"
                ))
            throw error
        }
    }
}
