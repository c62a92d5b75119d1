import Crypto
import GateCore
import GateModel
import GateProtocol
import GateStore
import Logging

/// The methods of `gate.v1.Control` that make backups and bring them back, piece by piece: `gated` opens no file that a
/// client names.
extension Router {
    mutating func addBackups() {
        on(Methods.Control.backup) { authority, request, call in
            if let refusal = call.refusalToNonAdministrator(to: "make a backup") { return call.fail(refusal) }
            request.backupID == 0 ? authority.makeBackup(call) : authority.readBackup(request, call)
        }
        on(Methods.Control.restore) { authority, request, call in
            if let refusal = call.refusalToNonAdministrator(to: "restore a backup") { return call.fail(refusal) }
            authority.restore(request, call)
        }
    }
}

extension Authority {
    // MARK: Making one

    fileprivate func makeBackup(_ call: Call<BackupResponse>) {
        let now = clock.bootTime()
        guard let reading = backups.readingBegan(on: call.peer.connection, at: now, idleTime: limits.backupIdleTime)
        else { return call.fail(refused(.backupInHand)) }
        // In the journal before it is made, so that it is in the journal of the backup, too.
        submit(.backUp, as: call.peer, for: call.caller) { [self] result in
            if case .failure(let error) = result {
                backups.readingEnded(reading.id)
                return call.fail(error)
            }
            backupThread.urgently { [store] in
                Result { () throws(StoreError) in try store.makeBackup() }
            } then: { [self] result in
                switch result {
                case .failure(let error):
                    backups.readingEnded(reading.id)
                    call.fail(.storeFailed(error))
                case .success(let backup):
                    reading.backup = backup
                    readBackup(BackupRequest(backupID: reading.id), call)
                }
            }
        }
    }

    fileprivate func readBackup(_ request: BackupRequest, _ call: Call<BackupResponse>) {
        let backup = backups.readingWentOn(request.backupID, on: call.peer.connection, at: clock.bootTime())
        guard let backup, let offset = Int(exactly: request.offset) else { return call.fail(.noBackup) }
        let limit = limits.backupPieceBytes
        backupThread.urgently {
            Result { () throws(StoreError) in try backup.piece(at: offset, count: limit) }
        } then: { [self] result in
            switch result {
            case .failure(let error):
                call.fail(.storeFailed(error))
            case .success(let piece):
                if offset + piece.count >= backup.byteCount { backups.readingEnded(request.backupID) }
                call.answer(
                    BackupResponse(backupID: request.backupID, piece: piece, byteCount: UInt64(backup.byteCount)))
            }
        }
    }

    // MARK: Bringing one back

    fileprivate func restore(_ request: RestoreRequest, _ call: Call<RestoreResponse>) {
        let now = clock.bootTime()
        let restoring: BackupDesk.Restoring
        if request.restoreID == 0 {
            guard
                let (begun, left) = backups.restoringBegan(
                    on: call.peer.connection, at: now, idleTime: limits.backupIdleTime)
            else { return call.fail(refused(.restoreInHand)) }
            forget(left)
            restoring = begun
        } else {
            guard let found = backups.restoringWentOn(request.restoreID, on: call.peer.connection, at: now) else {
                return call.fail(.noRestore)
            }
            restoring = found
        }
        guard !restoring.isBusy else { return call.fail(.pieceTooSoon) }
        guard !request.piece.isEmpty || request.isLast else { return call.fail(.emptyPieceOfBackup) }
        restoring.byteCount += request.piece.count
        guard restoring.byteCount <= limits.backupBytes else {
            end(restoring)
            return call.fail(refused(.largeBackup(limits.backupBytes)))
        }
        restoring.isBusy = true
        let bootTime = clock.bootTime()
        backupThread.urgently { [store, staged = restoring.staged] in
            Result { () throws(StoreError) in
                try store.take(request.piece, isLast: request.isLast, into: staged, at: bootTime)
            }
        } then: { [self] result in
            pieceTaken(result, of: restoring, checkOnly: request.checkOnly, call)
        }
    }

    private func pieceTaken(
        _ result: Result<(StagedRestore, BackupContents?), StoreError>, of restoring: BackupDesk.Restoring,
        checkOnly: Bool,
        _ call: Call<RestoreResponse>
    ) {
        restoring.isBusy = false
        switch result {
        case .failure(let error):
            end(restoring)
            call.fail(.restoreFailed(error))
        case .success(let (staged, contents)):
            restoring.staged = staged
            // A peer that has gone does not see what it would do.
            guard !restoring.isAbandoned, call.caller.isWaiting else { return end(restoring) }
            guard let contents else { return call.answer(RestoreResponse(restoreID: restoring.id)) }
            guard !checkOnly else {
                end(restoring)
                return call.answer(RestoreResponse(restoreID: restoring.id, contents: contents.summary))
            }
            restoring.isBusy = true
            submit(
                .restore(contents.records, detail: contents.journalText), as: call.peer, for: call.caller
            ) { [self] result in
                restoring.isBusy = false
                end(restoring)
                switch result {
                case .failure(let error):
                    call.fail(error)
                case .success(let settled):
                    logger.notice(
                        "a backup was restored",
                        metadata: ["uid": "\(call.peer.uid)", "revision": "\(settled.revision)"])
                    call.answer(
                        RestoreResponse(
                            restoreID: restoring.id, revision: settled.revision, contents: contents.summary))
                }
            }
        }
    }

    private func end(_ restoring: BackupDesk.Restoring) {
        backups.restoringEnded(restoring.id)
        forget(restoring)
    }

    private func forget(_ restoring: BackupDesk.Restoring?) {
        guard let restoring else { return }
        let staged = restoring.staged
        restoring.staged = nil
        backupThread.urgently { [store] in
            staged?.discard()
            store.forgetStagedRestore()
        } then: { _ in
        }
    }

    /// A connection is gone, and with it what it was reading or bringing.
    func forgetBackups(of connection: UInt64) {
        forget(backups.connectionClosed(connection))
    }

    private func refused(_ error: GateError) -> GateError {
        statistics.refused += 1
        return error
    }
}

extension StateStore {
    /// The next piece of a backup. With the last one it is checked.
    ///
    /// - Parameter staged: where the pieces before are; `nil`: this is the first.
    fileprivate func take(
        _ piece: [UInt8], isLast: Bool, into staged: StagedRestore?, at now: BootTime
    ) throws(StoreError) -> (StagedRestore, BackupContents?) {
        let restore: StagedRestore
        if let staged { restore = staged } else { restore = try stageRestore() }
        do throws(StoreError) {
            try restore.append(piece)
            guard isLast else { return (restore, nil) }
            return (restore, try check(restore, now: now, nameOf: AttachmentDigest.init(of:)))
        } catch {
            restore.discard()
            throw error
        }
    }
}

extension BackupContents {
    fileprivate var summary: BackupSummary {
        BackupSummary(
            version: version ?? "", madeAt: madeAt, accounts: records.accounts.count, claims: records.claims.count,
            responses: records.responses.count, hasPasscode: records.passcodeHash != nil, hasTOTP: records.totp != nil)
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
        parameters: ["what": "restores", "maximum": "1"])

    fileprivate static let noRestore = GateError(
        .notFound, .unknown, "This connection restores no such backup. Begin with restore_id 0.",
        parameters: ["what": "restore"])

    fileprivate static let pieceTooSoon = GateError(
        .failedPrecondition, .invalidRequest, "The piece before is not answered yet. Wait for that.")

    fileprivate static let emptyPieceOfBackup = GateError(
        .invalidArgument, .invalidRequest, "A piece without bytes is none, unless it is the last.")

    fileprivate static func largeBackup(_ limit: Int) -> GateError {
        GateError(
            .resourceExhausted, .limit, "A backup has at most \(limit) bytes. This is none of Gate.",
            parameters: ["what": "backup-bytes", "maximum": "\(limit)"])
    }

    fileprivate static func restoreFailed(_ error: StoreError) -> GateError {
        guard case .notABackup = error else { return .storeFailed(error) }
        let text = "\(error)"
        return GateError(.invalidArgument, .invalidRequest, text.prefix(1).uppercased() + text.dropFirst() + ".")
    }
}
