import GateCore
public import GateModel
import SQLite

/// Some of the journal, oldest first, always whole revisions.
public struct AuditPage: Hashable, Sendable {
    public var entries: [AuditEntry]
    /// Whether these are the last there are for now. Otherwise ask again, after the number of the last entry.
    public var isComplete: Bool
    /// `GateStore.oldestAuditNumber` when this was read.
    public var oldestNumber: UInt64

    public init(entries: [AuditEntry], isComplete: Bool, oldestNumber: UInt64) {
        self.entries = entries
        self.isComplete = isComplete
        self.oldestNumber = oldestNumber
    }
}

/// The rows of the journal (G-05). The id of a row is its revision's number and its place within the revision.
enum AuditJournal {
    private static let positionBits: Int64 = 16

    /// The first id that a revision's rows can have. A number that no store reaches counts as the highest there is.
    private static func firstID(of number: UInt64) -> Int64 {
        Int64(clamping: min(number, UInt64(Int64.max >> positionBits))) << positionBits
    }

    private static func firstID(after number: UInt64) -> Int64 {
        number < .max ? firstID(of: number + 1) : .max
    }

    /// Adds the entries of transitions, which are in order, and keeps at most `capacity` entries afterwards, always those of the
    /// newest revision among them.
    ///
    /// A full journal loses the oldest entries of the owner with the most: nobody can write so much that what others did is
    /// forgotten. It loses a little more than it has to, so that the next few hundred commits have nothing to prune.
    ///
    /// - Parameter known: what is counted already; `nil`: read it from the store.
    /// - Returns: the tally afterwards, to be stored.
    static func append(
        _ transitions: [Transition], capacity: Int, to known: JournalTally?, in database: Database
    ) throws -> JournalTally {
        let insertion = try database.cachedStatement(
            sql: """
                INSERT INTO audit (id, time, kind, uid, pid, owner, mode, detail, broker_uid, broker,
                    guardian_device, guardian)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        var tally = try known ?? tally(in: database)
        for transition in transitions {
            precondition(transition.audit.count <= 1 << positionBits, "a transition with too many journal entries")
            for (id, entry) in zip(firstID(of: transition.revision.number)..., transition.audit) {
                try insertion.execute(arguments: [
                    id, entry.time.unixMilliseconds, entry.kind.rawValue, entry.actor?.uid, entry.actor?.pid,
                    entry.owner?.number, entry.mode.rawValue, entry.detail, entry.actor?.broker?.uid,
                    entry.actor?.broker?.program, entry.actor?.guardian?.device.description,
                    entry.actor?.guardian?.name,
                ])
                tally.shares?.add(1, of: entry.owner)
            }
            tally.count += transition.audit.count
        }
        if tally.count > capacity, let newest = try number(at: "ORDER BY id DESC LIMIT 1", [], in: database) {
            let tooMany = tally.count - capacity + min(1024, capacity / 16)
            var counted = try tally.shares ?? shares(in: database)
            let pruned = try prune(tooMany, of: &counted, before: newest, in: database)
            // Fewer went than there should be: whatever was counted on is counted anew.
            tally.shares = pruned.count < tooMany ? nil : counted
            tally.count -= pruned.count
            tally.prunedThrough = max(tally.prunedThrough, pruned.through)
        }
        return tally
    }

    /// Deletes so many entries, or a few more, as far as there are so many before the newest revision: of each owner all of
    /// its oldest revisions.
    /// - Returns: how many, and the last revision of which something is gone.
    private static func prune(
        _ count: Int, of shares: inout JournalShares, before newest: UInt64, in database: Database
    ) throws -> (count: Int, through: UInt64) {
        let kept = try self.shares("WHERE id >= ?", [firstID(of: newest)], in: database)
        let old = shares.without(kept)
        let rest = JournalShares.evenShare(of: Array(old.counts.values), without: count)
        var pruned = (count: 0, through: UInt64(0))
        for (owner, count) in old.counts where count > rest {
            let place = "WHERE owner IS ? ORDER BY id LIMIT 1 OFFSET ?"
            guard let last = try number(at: place, [owner?.number, count - rest - 1], in: database) else { continue }
            try database.cachedStatement(sql: "DELETE FROM audit WHERE owner IS ? AND id < ?")
                .execute(arguments: [owner?.number, firstID(after: last)])
            shares.add(-database.changesCount, of: owner)
            pruned = (pruned.count + database.changesCount, max(pruned.through, last))
        }
        return pruned
    }

    /// The shares of the entries. Reads all of them.
    static func shares(
        _ condition: String = "", _ arguments: StatementArguments = [], in database: Database
    ) throws -> JournalShares {
        var shares = JournalShares()
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT owner, COUNT(*) FROM audit \(condition) GROUP BY owner"),
            arguments: arguments)
        while let row = try rows.next() {
            shares.add(
                try RecordTables.value(1, of: row, as: Int.self),
                of: try RecordTables.optionalValue(0, of: row, as: UInt32.self).map(Owner.init(stored:)))
        }
        return shares
    }

    /// Reads the tally but for the shares: a journal that is not full need not know them.
    static func tally(in database: Database) throws -> JournalTally {
        let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT audit_count, pruned_through FROM meta"))
        guard let row else { throw StoreError.damaged("no row in meta") }
        let count = try RecordTables.value(0, of: row, as: Int.self)
        let prunedThrough = try RecordTables.value(1, of: row, as: UInt64.self)
        guard (0...Int(Int32.max)).contains(count), prunedThrough <= RecordTables.maximumNumber else {
            throw StoreError.damaged("a number in meta that no journal reaches")
        }
        return JournalTally(count: count, prunedThrough: prunedThrough)
    }

    static func page(after number: UInt64, last: Int?, limit: Int, in database: Database) throws -> AuditPage {
        let start = try max(firstID(after: number), firstID(last: last, in: database))
        let limit = max(1, limit)
        var entries = try fetch("id >= ? ORDER BY id LIMIT ?", [start, Int64(clamping: limit) &+ 1], in: database)
        var isComplete = true
        if entries.count > limit, let cut = entries.last?.number {
            isComplete = false
            entries.removeLast(entries.reversed().prefix { $0.number == cut }.count)
            if entries.isEmpty {
                // One revision with more entries than the page has room for. It goes whole.
                let next = firstID(after: cut)
                entries = try fetch("id >= ? AND id < ? ORDER BY id", [start, next], in: database)
                isComplete = try self.number(at: "WHERE id >= ? LIMIT 1", [next], in: database) == nil
            }
        }
        return AuditPage(entries: entries, isComplete: isComplete, oldestNumber: try tally(in: database).oldestNumber)
    }

    /// Where the newest `last` entries begin. The revision that the count cuts through comes whole.
    private static func firstID(last: Int?, in database: Database) throws -> Int64 {
        guard let last else { return 0 }
        guard last > 0 else { return .max }
        return try number(at: "ORDER BY id DESC LIMIT 1 OFFSET ?", [last - 1], in: database).map(firstID(of:)) ?? 0
    }

    private static func number(
        at place: String, _ arguments: StatementArguments, in database: Database
    ) throws -> UInt64? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM audit \(place)"), arguments: arguments)
        return try row.map { try RecordTables.value(0, of: $0, as: UInt64.self) }
    }

    private static func fetch(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> [AuditEntry] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT number, time, kind, uid, pid, owner, mode, detail, broker_uid, broker, guardian_device, guardian
                    FROM audit WHERE \(condition)
                    """),
            arguments: arguments)
        var entries: [AuditEntry] = []
        while let row = try rows.next() { entries.append(try entry(row)) }
        return entries
    }

    private static func entry(_ row: Row) throws -> AuditEntry {
        // A newer version that wrote here has left no damage.
        let kind = AuditEntry.Kind(rawValue: try RecordTables.value(2, of: row, as: String.self)) ?? .unrecognized
        let mode = Mode(rawValue: try RecordTables.value(6, of: row, as: String.self)) ?? .child
        let owner = try RecordTables.optionalValue(5, of: row, as: UInt32.self).map(Owner.init(stored:))
        var actor: AuditEntry.Actor?
        if let uid = try RecordTables.optionalValue(3, of: row, as: UInt32.self),
            let pid = try RecordTables.optionalValue(4, of: row, as: Int32.self)
        {
            actor = AuditEntry.Actor(
                uid: uid, pid: pid, broker: try broker(row), guardian: try guardian(row), owner: owner)
        }
        return AuditEntry(
            number: try RecordTables.value(0, of: row, as: UInt64.self),
            time: WallTime(unixMilliseconds: try RecordTables.value(1, of: row, as: Int64.self)),
            kind: kind, actor: actor, requester: actor == nil ? owner : nil, mode: mode,
            detail: try RecordTables.value(7, of: row, as: String.self))
    }

    private static func guardian(_ row: Row) throws -> GuardianName? {
        guard let device = try RecordTables.optionalValue(10, of: row, as: String.self).flatMap(HouseholdID.init) else {
            return nil
        }
        return GuardianName(device: device, name: try RecordTables.optionalValue(11, of: row, as: String.self) ?? "")
    }

    private static func broker(_ row: Row) throws -> Broker? {
        guard let uid = try RecordTables.optionalValue(8, of: row, as: UInt32.self) else { return nil }
        return Broker(uid: uid, program: try RecordTables.optionalValue(9, of: row, as: String.self) ?? "")
    }
}
