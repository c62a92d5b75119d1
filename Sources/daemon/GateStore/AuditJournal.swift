import GateCore
public import GateModel
import SQLite

/// A part of the journal, oldest entries first. It never contains only a part of a revision.
public struct AuditPage: Hashable, Sendable {
    public var entries: [AuditEntry]
    /// Whether there are no later entries for now. Otherwise ask again with the number of the last entry.
    public var isComplete: Bool
    /// `GateStore.oldestAuditNumber` at the time of reading.
    public var oldestNumber: UInt64

    public init(entries: [AuditEntry], isComplete: Bool, oldestNumber: UInt64) {
        (self.entries, self.isComplete, self.oldestNumber) = (entries, isComplete, oldestNumber)
    }
}

/// The rows of the journal. They are added at the end. Pruning deletes the oldest rows of the owners with the most.
enum AuditJournal {
    private static let table = Table(
        "audit", hasRowID: true,
        blank: (
            id: Int64(0), time: WallTime.zero, kind: "", uid: UInt32?.none, pid: Int32?.none, mode: "", detail: "",
            owner: Owner?.none, brokerUID: UInt32?.none, broker: String?.none, guardianDevice: String?.none,
            guardian: String?.none
        ),
        // The revision's number times 65,536, plus the position within it: a single tree that grows at its end.
        Column("id", .auditID, \.id, "PRIMARY KEY, number INTEGER AS (id >> 16) VIRTUAL"),
        Column("time", .time, \.time), Column("kind", .text, \.kind),
        // Both are NULL if the daemon acted on its own.
        Column("uid", .optional(.uid), \.uid), Column("pid", .optional(.pid), \.pid),
        Column("mode", .text, \.mode), Column("detail", .text, \.detail),
        // The owner who is billed for the entry.
        Column("owner", .optional(.owner), \.owner),
        // The broker that asked for the process: its uid and the name it gives itself. NULL: the process asked itself.
        Column("broker_uid", .optional(.uid), \.brokerUID, step: 12),
        Column("broker", .optional(.text), \.broker, step: 12),
        // The guardian whose signed command was executed: the device that signed, and the name. NULL: none.
        Column("guardian_device", .optional(.text), \.guardianDevice, step: 13),
        Column("guardian", .optional(.text), \.guardian, step: 13))

    static var schema: TableSchema { table.schema }

    private static let positionBits: Int64 = 16

    /// The lowest id that rows of a revision can have. Higher numbers than revisions can have count as the highest.
    private static func firstID(of number: UInt64) -> Int64 {
        Int64(clamping: min(number, UInt64(Int64.max >> positionBits))) << positionBits
    }

    private static func firstID(after number: UInt64) -> Int64 {
        number < .max ? firstID(of: number + 1) : .max
    }

    /// Adds the entries of transitions, which must be in order. `known` is the tally before; `nil`: it is read from the
    /// store. Returns the tally afterwards, for the caller to store.
    ///
    /// At most `capacity` entries remain, and always those of the newest revision. A full journal deletes the oldest
    /// entries of the owner with the most. So no owner can write so much that the entries of others are lost. It
    /// deletes a few more than necessary, so that the next few hundred commits have nothing to prune.
    static func append(
        _ transitions: [Transition], capacity: Int, to known: JournalTally?, in database: Database
    ) throws -> JournalTally {
        let insertion = try database.cachedStatement(sql: table.replacement)
        var tally = try known ?? RecordTables.meta.tally(in: database)
        for transition in transitions {
            precondition(transition.audit.count <= 1 << positionBits, "a transition with too many journal entries")
            for (id, entry) in zip(firstID(of: transition.revision.number)..., transition.audit) {
                let (actor, guardian) = (entry.actor, entry.actor?.guardian)
                try insertion.execute(arguments: [
                    id, entry.time.unixMilliseconds, entry.kind.rawValue, actor?.uid, actor?.pid, entry.mode.rawValue,
                    entry.detail, entry.owner?.number, actor?.broker?.uid, actor?.broker?.program,
                    guardian?.device.description, guardian?.name,
                ])
                tally.shares?[entry.owner, default: 0] += 1
            }
            tally.count += transition.audit.count
        }
        if tally.count > capacity, let newest = try number(at: "ORDER BY id DESC LIMIT 1", [], in: database) {
            let tooMany = tally.count - capacity + min(1024, capacity / 16)
            var counted = try tally.shares ?? shares(in: database)
            let pruned = try prune(tooMany, of: &counted, before: newest, in: database)
            // If fewer entries were deleted than intended, the shares may be wrong: they are counted again next time.
            tally.shares = pruned.count < tooMany ? nil : counted
            tally.count -= pruned.count
            tally.prunedThrough = max(tally.prunedThrough, pruned.through)
        }
        return tally
    }

    /// Deletes at least `count` entries, if there are as many before the newest revision. They are those that the
    /// owners with the most entries have in their oldest revisions; what an owner has in one revision stays or goes
    /// together. Returns how many were deleted, and the newest revision that lost entries.
    private static func prune(
        _ count: Int, of shares: inout JournalShares, before newest: UInt64, in database: Database
    ) throws -> (count: Int, through: UInt64) {
        let kept = try self.shares("WHERE id >= ?", [firstID(of: newest)], in: database)
        let old = shares.merging(kept.mapValues(-), uniquingKeysWith: +)
        let rest = JournalShares.evenShare(of: Array(old.values), without: count)
        var pruned = (count: 0, through: UInt64(0))
        for (owner, count) in old where count > rest {
            let place = "WHERE owner IS ? ORDER BY id LIMIT 1 OFFSET ?"
            guard let last = try number(at: place, [owner?.number, count - rest - 1], in: database) else { continue }
            try database.cachedStatement(sql: "DELETE FROM audit WHERE owner IS ? AND id < ?")
                .execute(arguments: [owner?.number, firstID(after: last)])
            shares[owner, default: 0] -= database.changesCount
            pruned = (pruned.count + database.changesCount, max(pruned.through, last))
        }
        // Otherwise owners without entries would accumulate.
        shares = shares.filter { $0.value != 0 }
        return pruned
    }

    /// Counts the entries of each owner. Without a condition this reads the whole journal.
    static func shares(
        _ condition: String = "", _ arguments: StatementArguments = [], in database: Database
    ) throws -> JournalShares {
        var shares: JournalShares = [:]
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT owner, COUNT(*) FROM audit \(condition) GROUP BY owner"),
            arguments: arguments)
        while let row = try rows.next() {
            shares[try Format.optional(.owner).read(row[0])] = try Format.count.read(row[1])
        }
        return shares
    }

    static func page(after number: UInt64, last: Int?, limit: Int, in database: Database) throws -> AuditPage {
        let start = try max(firstID(after: number), firstID(last: last, in: database))
        let place = "WHERE id >= ? ORDER BY id LIMIT 1 OFFSET ?"
        var end = Int64.max
        if let next = try self.number(at: place, [start, max(1, limit)], in: database) {
            // If the first revision has more entries than a page may have, it becomes a page of its own.
            let first = try self.number(at: place, [start, 0], in: database)
            end = next == first ? firstID(after: next) : firstID(of: next)
        }
        let isComplete = try self.number(at: "WHERE id >= ? LIMIT 1", [end], in: database) == nil
        let tally = try RecordTables.meta.tally(in: database)
        return AuditPage(
            entries: try entries(from: start, to: end, in: database), isComplete: isComplete,
            oldestNumber: tally.oldestNumber)
    }

    /// The lowest id among the newest `last` entries. The revision in which they begin is included as a whole.
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
        return try row.map { try Format.number(0...(.max)).read($0[0]) }
    }

    private static func entries(from start: Int64, to end: Int64, in database: Database) throws -> [AuditEntry] {
        var entries: [AuditEntry] = []
        try table.forEach("WHERE id >= ? AND id < ? ORDER BY id", [start, end], in: database) { row in
            var actor: AuditEntry.Actor?
            if let uid = row.uid, let pid = row.pid {
                actor = AuditEntry.Actor(
                    uid: uid, pid: pid, broker: row.brokerUID.map { Broker(uid: $0, program: row.broker ?? "") },
                    guardian: row.guardianDevice.flatMap(HouseholdID.init).map {
                        GuardianName(device: $0, name: row.guardian ?? "")
                    },
                    owner: row.owner)
            }
            // An unknown word was written by a newer version. That is not damage.
            let (kind, mode) = (
                AuditEntry.Kind(rawValue: row.kind) ?? .unrecognized, Mode(rawValue: row.mode) ?? .child
            )
            entries.append(
                AuditEntry(
                    number: UInt64(row.id >> positionBits), time: row.time, kind: kind, actor: actor,
                    requester: actor == nil ? row.owner : nil, mode: mode, detail: row.detail))
        }
        return entries
    }
}

struct JournalTally: Hashable, Sendable {
    var count: Int
    /// The newest revision of which entries were pruned; 0: none.
    var prunedThrough: UInt64
    /// `nil` until the entries are counted, which happens when the journal is full, and again if the counts seem wrong.
    var shares: JournalShares?

    /// The first revision from which on the journal is complete; 1 until something is pruned.
    var oldestNumber: UInt64 { prunedThrough + 1 }
}

/// How many entries each owner has; `nil`: Gate's own entries. No count is zero. So a full journal knows who has the most
/// without counting all of them.
typealias JournalShares = [Owner?: Int]

extension JournalShares {
    /// The most that each owner may keep so that `count` entries are deleted: the largest shares are cut to one size.
    static func evenShare(of shares: [Int], without count: Int) -> Int {
        let sorted = shares.sorted(by: >)
        var sum = 0
        for (index, share) in sorted.enumerated() {
            sum += share
            guard sum >= count else { continue }
            let rest = (sum - count) / (index + 1)
            if index + 1 == sorted.count || rest >= sorted[index + 1] { return rest }
        }
        return 0
    }
}

extension Format<Int64> { fileprivate static let auditID = Format("INTEGER", "an id of the journal") { $0 >= 0 } }
extension Format<Int32> { fileprivate static let pid = Format("INTEGER NOT NULL", "a process's number") }
