import CGateProtocol
package import GateModel

// control.proto: backups, which travel in pieces

extension Methods.Control {
    package static let backup = Method<BackupRequest, BackupResponse>(service, "Backup")
    package static let restore = Method<RestoreRequest, RestoreResponse>(service, "Restore")
}

package struct BackupRequest: MappedMessage {
    /// 0 to make a backup; then the `backupID` of the response, to read on.
    package var backupID: UInt64
    package var offset: UInt64

    package init(backupID: UInt64 = 0, offset: UInt64 = 0) {
        self.backupID = backupID
        self.offset = offset
    }

    init(reading message: Gate__V1__BackupRequest) {
        self.init(backupID: message.backup_id, offset: message.offset)
    }

    func write(to message: inout Gate__V1__BackupRequest, in arena: inout MessageArena) {
        message.backup_id = backupID
        message.offset = offset
    }
}

package struct BackupResponse: MappedMessage {
    package var backupID: UInt64
    package var piece: [UInt8]
    package var byteCount: UInt64

    package init(backupID: UInt64, piece: [UInt8], byteCount: UInt64) {
        self.backupID = backupID
        self.piece = piece
        self.byteCount = byteCount
    }

    init(reading message: Gate__V1__BackupResponse) {
        self.init(
            backupID: message.backup_id, piece: [UInt8](reading: message.piece), byteCount: message.byte_count)
    }

    func write(to message: inout Gate__V1__BackupResponse, in arena: inout MessageArena) {
        message.backup_id = backupID
        message.piece = arena.bytes(piece)
        message.byte_count = byteCount
    }
}

package struct RestoreRequest: MappedMessage {
    /// The most bytes of a backup that one request or response holds.
    package static let maximumPieceByteCount = 512 << 10

    /// 0 with the first piece; then the `restoreID` of the response.
    package var restoreID: UInt64
    /// At most `maximumPieceByteCount` bytes.
    package var piece: [UInt8]
    package var isLast: Bool
    package var checkOnly: Bool

    package init(restoreID: UInt64, piece: [UInt8], isLast: Bool, checkOnly: Bool = false) {
        self.restoreID = restoreID
        self.piece = piece
        self.isLast = isLast
        self.checkOnly = checkOnly
    }

    init(reading message: Gate__V1__RestoreRequest) throws(GateError) {
        guard message.piece.len <= Self.maximumPieceByteCount else {
            throw .wrong(
                "gate.v1.RestoreRequest.piece",
                "holds \(message.piece.len) bytes; "
                    + "at most \(Self.maximumPieceByteCount) are taken at a time")
        }
        self.init(
            restoreID: message.restore_id, piece: [UInt8](reading: message.piece), isLast: message.is_last != 0,
            checkOnly: message.check_only != 0)
    }

    func write(to message: inout Gate__V1__RestoreRequest, in arena: inout MessageArena) {
        message.restore_id = restoreID
        message.piece = arena.bytes(piece)
        message.is_last = isLast ? 1 : 0
        message.check_only = checkOnly ? 1 : 0
    }
}

package struct RestoreResponse: MappedMessage {
    package var restoreID: UInt64
    /// With the last piece: the revision from which the restored data is in force; `nil` if nothing was restored.
    package var revision: Revision?
    /// What the backup holds, in the response to the last piece; otherwise `nil`.
    package var contents: BackupSummary?
    /// The gated actions whose choices in the backup were left out, in the response to the last piece.
    package var leftOutChoices: [String]

    package init(
        restoreID: UInt64, revision: Revision? = nil, contents: BackupSummary? = nil, leftOutChoices: [String] = []
    ) {
        self.restoreID = restoreID
        self.revision = revision
        self.contents = contents
        self.leftOutChoices = leftOutChoices
    }

    init(reading message: Gate__V1__RestoreResponse) {
        self.init(
            restoreID: message.restore_id, revision: message.revision.map { Revision(reading: $0.pointee) },
            contents: message.contents.map { BackupSummary(reading: $0.pointee) },
            leftOutChoices: [String](reading: message.left_out_choices, count: message.n_left_out_choices))
    }

    func write(to message: inout Gate__V1__RestoreResponse, in arena: inout MessageArena) {
        message.restore_id = restoreID
        message.revision = arena.message(optional: revision)
        message.contents = arena.message(optional: contents)
        (message.left_out_choices, message.n_left_out_choices) = arena.strings(leftOutChoices)
    }
}

extension BackupSummary: MessageMapping {
    init(reading message: Gate__V1__BackupContents) {
        let time = message.made_at_unix_milliseconds
        self.init(
            version: String(reading: message.version), madeAt: time == 0 ? nil : WallTime(unixMilliseconds: time),
            accountCount: Int(message.accounts), claimCount: Int(message.claims), responseCount: Int(message.responses),
            hasPasscode: message.has_passcode != 0, hasTOTP: message.has_totp != 0)
    }

    func write(to message: inout Gate__V1__BackupContents, in arena: inout MessageArena) {
        message.version = arena.string(version)
        message.made_at_unix_milliseconds = madeAt?.unixMilliseconds ?? 0
        message.accounts = UInt32(clamping: accountCount)
        message.claims = UInt32(clamping: claimCount)
        message.responses = UInt32(clamping: responseCount)
        message.has_passcode = hasPasscode ? 1 : 0
        message.has_totp = hasTOTP ? 1 : 0
    }
}
