import SQLite

/// The copy of a store that is made before an upgrade, so that one can go back to the version before.
///
/// It lies beside the store with mode 0600, and its name contains the number of the schema. It gets its name when it is
/// complete, and only the newest `keptCount` are kept. If it can't be made, the store is not upgraded.
enum UpgradeCopy {
    static let keptCount = 3
    private static let prefix = "gate-schema-"
    private static let suffix = ".sqlite"

    /// - Parameter store: the store before the upgrade.
    /// - Throws: `StoreError.fullBeforeUpgrade`, `.notCopied`.
    static func makeIfNeeded(of store: DatabaseQueue, in directory: StoreDirectory) throws {
        let schema = try store.read { try StoreSchema.number(in: $0, at: directory.database) }
        guard schema < StoreSchema.number else { return }
        do {
            try StoreConnection.copy(store, as: directory.unfinishedCopy, in: directory)
            let name = "\(prefix)\(schema)-\(StoreDirectory.timestamp())\(suffix)"
            try directory.finish(directory.unfinishedCopy, as: name)
            try forgetOldest(in: directory)
        } catch {
            switch StoreError(error) {
            case .full: throw StoreError.fullBeforeUpgrade
            case let error: throw StoreError.notCopied("\(error)")
            }
        }
    }

    /// Runs `work`. If it finds a store of a newer version, the error also names the copy to which one can go back.
    static func namingCopy<Result>(in directory: StoreDirectory, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch StoreError.newer(var store) {
            store.copy = try? copies(in: directory).last { $0.schema <= store.knownSchema }?.name
            throw StoreError.newer(store)
        }
    }

    private static func forgetOldest(in directory: StoreDirectory) throws {
        for copy in try copies(in: directory).dropLast(keptCount) {
            try directory.remove("\(directory.path)/\(copy.name)")
        }
    }

    /// All copies, sorted by schema and, for one schema, by time, the oldest first.
    private static func copies(in directory: StoreDirectory) throws -> [(schema: Int, name: String)] {
        try directory.names().compactMap { name in
            guard name.hasPrefix(prefix), name.hasSuffix(suffix),
                let schema = Int(name.dropFirst(prefix.count).prefix { $0 != "-" })
            else { return nil }
            return (schema, name)
        }
        .sorted { ($0.schema, $0.name) < ($1.schema, $1.name) }
    }
}
