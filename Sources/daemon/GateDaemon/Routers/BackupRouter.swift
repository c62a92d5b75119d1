import Crypto
import GateCore
import GateModel
import GatePolicy
import GateProtocol
import GateStore
import Logging

/// Makes and restores backups, in pieces (`gate.v1.Control`). `gated` never opens a file that a client names.
///
/// Confined to the event loop.
final class BackupRouter: ServiceRouter {
    private let context: LoopContext
    private let pipeline: CommandPipeline
    private let policy: PolicyReload
    private let recognition: UserRecognition
    private let store: any StateStore
    private let thread: SharedThread
    var transfers = BackupTransfers()

    /// - Parameter thread: makes, writes and checks backups.
    init(
        _ sessions: Sessions, _ policy: PolicyReload, _ recognition: UserRecognition, store: any StateStore,
        thread: SharedThread
    ) {
        self.policy = policy
        self.recognition = recognition
        pipeline = sessions.pipeline
        context = pipeline.context
        (self.store, self.thread) = (store, thread)
        // When a connection closes, its backup and its restore end.
        sessions.connectionClosed.append { [weak self] in
            if let self { forget(transfers.connectionClosed($0)) }
        }
    }

    func addMethods(to router: inout Router) {
        router.on(Methods.Control.backup) { [self] request, call in
            if let refusal = call.refusalToNonAdministrator(to: "make a backup") { return call.fail(refusal) }
            request.backupID == 0 ? makeBackup(call) : readBackup(request, call)
        }
        router.on(Methods.Control.restore) { [self] request, call in
            if let refusal = call.refusalToNonAdministrator(to: "restore a backup") { return call.fail(refusal) }
            restore(request, call)
        }
    }

    // MARK: Making one

    private func makeBackup(_ call: Call<BackupResponse>) {
        let now = context.clock.bootTime()
        guard
            let reading = transfers.readingBegan(
                on: call.peer.connection, at: now, idleTime: context.limits.backupIdleTime)
        else { return call.fail(context.refused(.backupInHand)) }
        // The journal entry is written first, so that the backup contains it, too.
        pipeline.submit(.control(.backUp), as: call.peer, for: call.caller) { [self] result in
            if case .failure(let error) = result {
                transfers.readingEnded(reading.id)
                return call.fail(error)
            }
            thread.urgently { [store] in
                Result { () throws(StoreError) in try store.makeBackup() }
            } then: { [self] result in
                switch result {
                case .failure(let error):
                    transfers.readingEnded(reading.id)
                    call.fail(.storeFailed(error))
                case .success(let backup):
                    reading.backup = backup
                    readBackup(BackupRequest(backupID: reading.id), call)
                }
            }
        }
    }

    private func readBackup(_ request: BackupRequest, _ call: Call<BackupResponse>) {
        let backup = transfers.readingWentOn(request.backupID, on: call.peer.connection, at: context.clock.bootTime())
        guard let backup, let offset = Int(exactly: request.offset) else { return call.fail(.noBackup) }
        let limit = context.limits.backupPieceBytes
        thread.urgently {
            Result { () throws(StoreError) in try backup.piece(at: offset, count: limit) }
        } then: { [self] result in
            switch result {
            case .failure(let error):
                call.fail(.storeFailed(error))
            case .success(let piece):
                if offset + piece.count >= backup.byteCount { transfers.readingEnded(request.backupID) }
                call.answer(
                    BackupResponse(backupID: request.backupID, piece: piece, byteCount: UInt64(backup.byteCount)))
            }
        }
    }

    // MARK: Restoring one

    private func restore(_ request: RestoreRequest, _ call: Call<RestoreResponse>) {
        let now = context.clock.bootTime()
        let restoring: BackupTransfers.Restoring
        if request.restoreID == 0 {
            guard
                let (begun, left) = transfers.restoringBegan(
                    on: call.peer.connection, at: now, idleTime: context.limits.backupIdleTime)
            else { return call.fail(context.refused(.restoreInHand)) }
            forget(left)
            restoring = begun
        } else {
            guard let found = transfers.restoringWentOn(request.restoreID, on: call.peer.connection, at: now) else {
                return call.fail(.noRestore)
            }
            restoring = found
        }
        guard !restoring.isBusy else { return call.fail(.pieceTooSoon) }
        guard !request.piece.isEmpty || request.isLast else { return call.fail(.emptyPieceOfBackup) }
        restoring.byteCount += request.piece.count
        guard restoring.byteCount <= context.limits.backupBytes else {
            end(restoring)
            return call.fail(context.refused(.largeBackup(context.limits.backupBytes)))
        }
        restoring.isBusy = true
        let bootTime = context.clock.bootTime()
        thread.urgently { [store, staged = restoring.staged] in
            Result { () throws(StoreError) in
                try store.take(request.piece, isLast: request.isLast, into: staged, at: bootTime)
            }
        } then: { [self] result in
            pieceTaken(result, of: restoring, checkOnly: request.checkOnly, call)
        }
    }

    private func pieceTaken(
        _ result: Result<(StagedRestore, CheckedBackup?), StoreError>, of restoring: BackupTransfers.Restoring,
        checkOnly: Bool, _ call: Call<RestoreResponse>
    ) {
        restoring.isBusy = false
        switch result {
        case .failure(let error):
            end(restoring)
            call.fail(.restoreFailed(error))
        case .success(let (staged, checked)):
            restoring.staged = staged
            // A restore without a caller is dropped, because nobody would learn how it went.
            guard !restoring.isAbandoned, call.caller.isWaiting else { return end(restoring) }
            guard let checked else { return call.answer(RestoreResponse(restoreID: restoring.id)) }
            let contents = checked.contents
            guard !checkOnly else {
                end(restoring)
                return call.answer(RestoreResponse(restoreID: restoring.id, contents: contents.summary))
            }
            restoring.isBusy = true
            let choices = pipeline.head.records.gateChoices
            pipeline.submit(
                .control(.restore(contents.records, choices: checked.choices, detail: contents.journalText)),
                as: call.peer, for: call.caller
            ) { [self] result in
                restoring.isBusy = false
                end(restoring)
                switch result {
                case .failure(let error):
                    call.fail(error)
                case .success(let settled):
                    context.logger.notice(
                        "a backup was restored",
                        metadata: ["uid": "\(call.peer.uid)", "revision": "\(settled.revision)"])
                    let now = pipeline.durable.records.gateChoices
                    let response = RestoreResponse(
                        restoreID: restoring.id, revision: settled.revision, contents: contents.summary,
                        leftOutChoices: leftOut(of: contents.records.gateChoices, now: now))
                    // The call is answered when the users of the restored list have been looked up, so that the
                    // administrator's next call already finds them recognized.
                    let answer = { [recognition] in recognition.whenAnswered { call.answer(response) } }
                    guard now != choices else {
                        policy.showApps()
                        return answer()
                    }
                    // The policy has other choices now. If it can't be read, they are in force from the next start on.
                    policy.reload(as: call.peer, readsFiles: false) { _ in answer() }
                }
            }
        }
    }

    /// Returns the gated actions whose choices in the backup were left out, and logs them.
    private func leftOut(of backup: GateChoices, now: GateChoices) -> [String] {
        let names = backup.keys.filter {
            now[$0] == nil && ($0.isDottedName || TimeRule.chosen(as: $0) != nil)
        }
        .sorted().prefix(GateChange.maximumChoices)
        if !names.isEmpty {
            context.logger.warning(
                "choices of the backup were left out, since they could lower a gate: \(names.joined(separator: ", ")). `sudo gatectl gates set` chooses anew"
            )
        }
        return Array(names)
    }

    private func end(_ restoring: BackupTransfers.Restoring) {
        transfers.restoringEnded(restoring.id)
        forget(restoring)
    }

    private func forget(_ restoring: BackupTransfers.Restoring?) {
        guard let restoring else { return }
        restoring.staged = nil
        thread.urgently { [store] in
            store.forgetStagedRestore()
        } then: { _ in
        }
    }
}

extension StateStore {
    /// Writes the next piece of a backup that is being restored. Checks the backup if that was the last piece.
    ///
    /// - Parameter staged: contains the earlier pieces; `nil` for the first one.
    /// - Returns: also what the backup contains; `nil` before the last piece.
    fileprivate func take(
        _ piece: [UInt8], isLast: Bool, into staged: StagedRestore?, at now: BootTime
    ) throws(StoreError) -> (StagedRestore, CheckedBackup?) {
        let restore: StagedRestore
        if let staged { restore = staged } else { restore = try stageRestore() }
        do throws(StoreError) {
            try restore.append(piece)
            guard isLast else { return (restore, nil) }
            return (restore, CheckedBackup(try check(restore, now: now, nameOf: AttachmentDigest.init(of:))))
        } catch {
            forgetStagedRestore()
            throw error
        }
    }
}

/// A whole backup that can be restored.
private struct CheckedBackup {
    let contents: BackupContents
    /// What was chosen when the backup was made, by the names of the choices. Choices with mistakes are left out. They
    /// are read together with the rest, on the same thread, because reading them takes time.
    let choices: [String: ChosenRule]

    init(_ contents: BackupContents) {
        self.contents = contents
        choices = GateChoice.rules(of: contents.records.gateChoices)
    }
}

extension BackupContents {
    fileprivate var summary: BackupSummary {
        BackupSummary(
            version: version ?? "", madeAt: madeAt, accountCount: records.people.count,
            claimCount: records.claims.count,
            responseCount: records.responses.count, hasPasscode: records.passcodeHash != nil,
            hasTOTP: records.totp != nil)
    }

    fileprivate var journalText: String {
        let writer = version.map { "of Gate \($0)" } ?? "of an earlier Gate"
        return madeAt.map { "\(writer), made \($0.utcText)" } ?? writer
    }
}

extension GateError {
    fileprivate static let backupInHand = GateError(
        .resourceExhausted, .limit, "Another backup is being made. Try again when it is done.",
        parameters: ["what": "backups", "maximum": "1"])

    fileprivate static let noBackup = GateError(
        .notFound, .unknown, "This connection has no such backup. Begin with backup_id 0.",
        parameters: ["what": "backup"])

    fileprivate static let restoreInHand = GateError(
        .resourceExhausted, .limit, "Another backup is being restored. Try again when it is done.",
        parameters: ["what": "backup-restores", "maximum": "1"])

    fileprivate static let noRestore = GateError(
        .notFound, .unknown, "This connection restores no such backup. Begin with restore_id 0.",
        parameters: ["what": "restore"])

    fileprivate static let pieceTooSoon = GateError(
        .failedPrecondition, .invalidRequest, "The piece before this one is not answered yet. Wait for its answer.",
        parameters: ["field": "piece"])

    fileprivate static let emptyPieceOfBackup = invalid(
        "piece", "Only the last piece may be empty.")

    fileprivate static func largeBackup(_ limit: Int) -> GateError {
        GateError(
            .resourceExhausted, .limit, "A backup has at most \(limit) bytes, so this is not one that Gate made.",
            parameters: ["what": "backup-bytes", "maximum": "\(limit)"])
    }

    fileprivate static func restoreFailed(_ error: StoreError) -> GateError {
        guard case .notABackup = error else { return .storeFailed(error) }
        let text = "\(error)"
        return .invalid("piece", text.prefix(1).uppercased() + text.dropFirst() + ".")
    }
}
