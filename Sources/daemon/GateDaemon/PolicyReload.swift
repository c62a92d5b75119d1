import GateCore
import GateModel
import GatePolicy
import Logging

/// Keeps the policy that is in force, and reads it again on request.
///
/// Confined to the event loop.
final class PolicyReload {
    private(set) var inForce: PolicyInForce
    /// This device's files as the newest reload has read them. While that reload waits for the disk, they are newer
    /// than the files in force. A choice that comes meanwhile is combined with these newer files; otherwise the choice
    /// would bring the old files back into force.
    private var files: DevicePolicyFiles?
    private let context: LoopContext
    private let pipeline: CommandPipeline
    private let sessions: Sessions
    /// `nil`: each uid is billed to itself.
    private let owners: OwnerLookup?
    private let recognition: UserRecognition
    private let thread: SharedThread
    private let read: Reading
    /// How many policies of the household, and changes of gates, are being read, or wait to be.
    private var waitingPolicies = 0
    /// How many of `waitingPolicies` are changes of gates by grown-ups who are no administrators.
    private var waitingGrownUps = 0
    /// Why the newest policy of the household is not in force; `nil` if it is, or if none was received.
    private(set) var refusal: HouseholdPolicyRefusal?
    /// Whether the household's policy that is stored was left out at the start, because it doesn't fit.
    private var lacksHousehold = false
    /// `nil`: the daemon has no runtime directory.
    private var appsFile: GuardedAppsFile?

    /// Reads the policy in the store together with this device's files: the known ones, or, with `nil`, those on the
    /// disk.
    typealias Reading = @Sendable (StoredPolicy, _ known: DevicePolicyFiles?) throws(BadPolicy) -> PolicyInForce

    /// - Parameter thread: reads the policy, since files and the databases of users may be slow.
    init(
        _ inForce: PolicyInForce, _ sessions: Sessions, owners: OwnerLookup?, _ recognition: UserRecognition,
        thread: SharedThread, read: @escaping Reading
    ) {
        (self.inForce, self.sessions, self.owners, self.thread, self.read) = (inForce, sessions, owners, thread, read)
        self.recognition = recognition
        files = inForce.files
        pipeline = sessions.pipeline
        context = pipeline.context
    }

    /// Reads the policy again, and puts all of it into force or nothing. Answers with the policy that is then in force.
    /// An orderly stop waits for this.
    ///
    /// - Parameter readsFiles: if `false`, only the policy in the store is read again, and this device's files count as
    ///   the newest reload has read them. Only a reload reads files, since an administrator may be in the middle of
    ///   changing them.
    func reload(
        as peer: Peer, readsFiles: Bool = true, answer reply: @escaping (Result<PolicyInForce, GateError>) -> Void
    ) {
        guard !context.isStopping else { return reply(.failure(.stopping)) }
        let answer = working(until: reply)
        let (stored, known) = (StoredPolicy(pipeline.head.records), readsFiles ? nil : files)
        thread.urgently { [read, owners] in
            owners?.refresh()
            return Result { () throws(BadPolicy) in try read(stored, known) }
        } then: { [self] result in
            // The household's policy, a choice or the files have changed meanwhile, so what was read is outdated.
            guard StoredPolicy(pipeline.head.records) == stored, readsFiles || files === known else {
                reload(as: peer, readsFiles: readsFiles, answer: reply)
                return context.openWork.ended()
            }
            switch result {
            case .failure(let error):
                context.logger.error("the policy was refused; the previous policy stays in force: \(error)")
                answer(.failure(error.error))
            case .success(let new):
                configure(new, as: peer, answer: answer)
            }
        }
    }

    /// Begins work that ends with the answer. An orderly stop waits for it.
    private func working<Value>(
        until reply: @escaping (Result<Value, GateError>) -> Void
    ) -> (Result<Value, GateError>) -> Void {
        context.openWork.began()
        return { [context] in
            reply($0)
            context.openWork.ended()
        }
    }

    private func configure(
        _ new: PolicyInForce, as peer: Peer, answer: @escaping (Result<PolicyInForce, GateError>) -> Void
    ) {
        files = new.files
        pipeline.submit(.daemon(.configure(new.policy.configuration, detail: new.summary)), as: peer) { [self] in
            adopt(new)
        } answer: { [self] result in
            if case .failure(let error) = result {
                if files === new.files { files = inForce.files }
                context.logger.error("the new policy could not be put into force: \(error)")
            }
            answer(result.map { _ in new })
        }
    }

    private func adopt(_ new: PolicyInForce) {
        // The change is published to watchers after this, because the new policy decides what they may see.
        inForce = new
        if let refusal, let number = new.policy.configuration.householdPolicy, number >= refusal.number {
            self.refusal = nil
        }
        owners?.forgetAll()
        recognition.ask()
        new.logWarnings(to: context.logger)
        sessions.adopt(new.roles)
        lacksHousehold = false
        showApps()
        context.logger.info("the policy was read again", metadata: ["policy": "\(new.summary)"])
    }

    // MARK: - Guarded apps

    /// From now on, a file in the directory names the apps that the policy in force guards.
    func showApps(in directory: String) {
        appsFile = GuardedAppsFile(in: directory)
        showApps()
    }

    /// While a layer of the policy is missing, because the store was damaged or the household's policy doesn't fit, the
    /// file stays as it is: apps that only that layer names must not become free. The same holds while it is unknown
    /// what a shipped file names.
    func showApps() {
        guard !lacksHousehold, pipeline.durable.quarantinedFile == nil else { return }
        let unread = inForce.policy.broken.filter(\.mayNameMore).map(\.file)
        guard unread.isEmpty else {
            if appsFile != nil {
                context.logger.error(
                    "the list of guarded apps stays as it is, since it is unknown which apps these files name",
                    metadata: ["files": "\(unread.joined(separator: ", "))"])
            }
            return
        }
        appsFile?.show(inForce.policy, logger: context.logger)
    }

    // MARK: - The household's policy

    /// The most policies of the household, and changes of gates, that may be read or wait at a time. A policy may be as
    /// large as a request.
    private static let maximumWaitingPolicies = 4

    /// Reads the household's policy together with this device's own files as they were last reloaded, stores it and
    /// puts it into force, or does nothing at all. An orderly stop waits for this.
    func take(
        _ household: SignedHouseholdPolicy, as peer: Peer,
        answer reply: @escaping (Result<(PolicyInForce, Revision), GateError>) -> Void
    ) {
        guard !context.isStopping else { return reply(.failure(.stopping)) }
        do throws(GateError) {
            try pipeline.head.checkHouseholdPolicy(household)
        } catch {
            return reply(.failure(refused(household, error)))
        }
        guard waitingPolicies < Self.maximumWaitingPolicies else {
            return reply(.failure(context.refused(.tooManyPolicies)))
        }
        waitingPolicies += 1
        let answer = working(until: reply)
        let (choices, known) = (pipeline.head.records.gateChoices, files)
        thread.urgently { [read, owners] in
            owners?.refresh()
            let stored = StoredPolicy(household: household, choices: choices)
            return Result { () throws(BadPolicy) in try read(stored, known) }
        } then: { [self] result in
            waitingPolicies -= 1
            // A choice or the files have changed meanwhile, so what was read is outdated.
            guard pipeline.head.records.gateChoices == choices, files === known else {
                take(household, as: peer, answer: reply)
                return context.openWork.ended()
            }
            switch result {
            case .failure(let error):
                answer(.failure(refused(household, error.error)))
            case .success(let new):
                pipeline.submit(
                    .household(.takeHouseholdPolicy(household, new.policy.configuration, detail: new.summary)), as: peer
                ) { [self] in
                    adopt(new)
                } answer: { [self] result in
                    answer(result.map { (new, $0.revision) }.mapError { refused(household, $0) })
                }
            }
        }
    }

    /// Logs why the policy is not in force, and remembers it for peers that ask.
    private func refused(_ household: SignedHouseholdPolicy, _ error: GateError) -> GateError {
        // A known policy is not news, and one whose signature does not count is not the household's at all.
        guard error.reason != .outdated, error.reason != .badCommand else { return error }
        context.logger.error(
            "\(household.policy.name) was refused; the previous policy stays in force: \(error.message)")
        remember(household.policy, error)
        return error
    }

    /// Called at the start if the household's policy doesn't fit this device's own files, which then count alone.
    func doesNotFit(
        _ household: HouseholdPolicy, _ error: BadPolicy, answer: @escaping (Result<Void, GateError>) -> Void
    ) {
        context.logger.critical(
            "\(household.name) does not fit this device's own policy, so only the device's own policy is in force: \(error)"
        )
        remember(household, error.error)
        lacksHousehold = true
        let detail = "without \(household.name), which has mistakes here: \(inForce.summary)"
        pipeline.submit(.daemon(.configure(inForce.policy.configuration, detail: detail)), as: .daemon) {
            answer($0.map { _ in })
        }
    }

    // MARK: - Choices

    /// Reads the policy in force with a choice, stores the choice and puts the policy into force, or does nothing at
    /// all. An orderly stop waits for this.
    ///
    /// - Parameter make: makes the change from what is in force. It is called again if that has changed meanwhile.
    func change<Changing: PolicyChanging>(
        as peer: Peer, answer reply: @escaping (Result<Changing.Response, GateError>) -> Void,
        _ make: @escaping (PolicyBasis) -> Changing
    ) {
        guard !context.isStopping else { return reply(.failure(.stopping)) }
        // All grown-ups share one place, so that their programs can't keep administrators out.
        let isGrownUps = !peer.roles.contains(.administrator)
        guard waitingPolicies < Self.maximumWaitingPolicies, !isGrownUps || waitingGrownUps == 0 else {
            return reply(.failure(context.refused(.tooManyGateChanges)))
        }
        waitingPolicies += 1
        if isGrownUps { waitingGrownUps += 1 }
        let answer = working(until: reply)
        let basis = PolicyBasis(stored: StoredPolicy(pipeline.head.records), files: files, inForce: inForce)
        let changing = make(basis)
        thread.urgently { [read, owners] in
            owners?.refresh()
            return Result { () throws(GateError) in try changing.prepared(read) }
        } then: { [self] result in
            waitingPolicies -= 1
            if isGrownUps { waitingGrownUps -= 1 }
            // The household's policy, another choice or the files have changed meanwhile, so what was read is outdated.
            guard StoredPolicy(pipeline.head.records) == basis.stored, files === basis.files else {
                change(as: peer, answer: reply, make)
                return context.openWork.ended()
            }
            switch result {
            case .success(let prepared) where changing.checkOnly: answer(.success(prepared.response(nil)))
            case .success(let prepared):
                pipeline.submit(.control(.changeGate(prepared.change)), as: peer) { [self] in
                    adopt(prepared.new)
                } answer: {
                    answer($0.map { prepared.response($0.revision) })
                }
            case .failure(let error): answer(.failure(error))
            }
        }
    }

    private func remember(_ household: HouseholdPolicy, _ error: GateError) {
        guard household.number >= refusal?.number ?? 0 else { return }
        refusal = HouseholdPolicyRefusal(
            number: household.number,
            message: error.message.cut(toByteCount: HouseholdPolicyRefusal.maximumMessageByteCount))
    }
}

extension GateError {
    fileprivate static let tooManyPolicies = GateError(
        .resourceExhausted, .limit, "Other policies of the household wait to be read. Try again in a moment.",
        parameters: ["what": "household-calls"])

    fileprivate static let tooManyGateChanges = GateError(
        .resourceExhausted, .limit, "Other changes of the policy wait to be read. Try again in a moment.",
        parameters: ["what": "gate-changes"])
}
