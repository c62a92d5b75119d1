import GateGuardians
import GateHousehold
import GateModel
import GatePolicy
import Glibc
import X509

/// The household's files in the configuration directory. A folder is written completely, and is on the disk, before it
/// gets its name. `household.yaml` is written last, and without it there is no household.
struct HouseholdDirectory {
    let path: String
    /// The service's group. Its members may read the files that are otherwise for root alone.
    private static let service = "gate-household"
    private static let portFile = "join-port"
    private static let lockFile = "household.lock"

    var folder: String { "\(path)/\(HouseholdFileName.folder)" }
    private var settingsPath: String { "\(path)/\(HouseholdFileName.settings)" }

    // MARK: - Reading

    /// - Throws: `exists` if there are files of a household.
    func checkHasNone() throws(FoundingError) {
        guard access(folder, F_OK) != 0, access(settingsPath, F_OK) != 0 else { throw .exists }
    }

    /// Checks whether this device may found or join a household. With `replaces`, the household that it belongs to may
    /// be replaced; with `isKeyAtHand`, even if this device has its key, because the recovery key is known.
    /// - Throws: `exists` or `hasKey`.
    func checkMayBegin(replaces: Bool, isKeyAtHand: Bool = false) throws(FoundingError) {
        guard replaces else { return try checkHasNone() }
        // A key without settings was left when founding was interrupted, before anybody could have seen it.
        guard isKeyAtHand || !hasSecret || access(settingsPath, F_OK) != 0 else { throw .hasKey }
    }

    /// - Throws: `none` if this device is in no household; `policy` if the policy has mistakes.
    func settings() throws(FoundingError) -> HouseholdSettings {
        guard access(settingsPath, F_OK) == 0 else { throw .none }
        let policy: Policy
        do throws(PolicyError) {
            policy = try PolicyReader.read(directory: path, trustedOwners: [0, geteuid()])
        } catch {
            throw .policy(problems: error.problems.map(\.description))
        }
        guard let settings = policy.configuration.household else { throw .none }
        return settings
    }

    var hasSecret: Bool { access("\(folder)/\(HouseholdFileName.secret)", F_OK) == 0 }

    /// The newest signed list if this device has the household's key; `nil` if it has not, or the list can't be read.
    var keptList: [UInt8]? {
        hasSecret ? try? read(HouseholdFileName.list) : nil
    }

    /// The newest signed household policy if this device has the household's key; `nil` if not, or if there is none.
    var keptPolicy: [UInt8]? {
        hasSecret ? try? read(HouseholdFileName.policy) : nil
    }

    /// - Throws: `none`, `policy`, `noKey`, `file` or `badFile`.
    func keeping() throws(FoundingError) -> HouseholdKeeping {
        let settings = try settings()
        guard hasSecret else { throw .noKey }
        let text = String(decoding: try read(HouseholdFileName.secret), as: UTF8.self)
        guard let secret = HouseholdSecret(recoveryKey: text) else { throw bad(HouseholdFileName.secret) }
        guard let authority = Certificate(pem: try read(HouseholdFileName.authority)) else {
            throw bad(HouseholdFileName.authority)
        }
        let signed = try read(HouseholdFileName.list)
        guard let list = try? HouseholdList(signed: signed, by: secret.signingKey.publicKey) else {
            throw bad(HouseholdFileName.list)
        }
        let names = try FileSystem.names(in: "\(folder)/\(HouseholdFileName.certificates)")
        let issued = try names.filter { $0.hasSuffix(".pem") }.map { name throws(FoundingError) in
            let path = "\(HouseholdFileName.certificates)/\(name)"
            guard let issued = Certificate(pem: try read(path)).flatMap(HouseholdKeeping.Issued.init) else {
                throw bad(path)
            }
            return issued
        }
        guard
            let keeping = HouseholdKeeping(
                secret, settings: settings, authority: authority, list: list, issued: issued,
                revoked: try read(HouseholdFileName.revoked))
        else { throw bad(HouseholdFileName.secret) }
        return keeping
    }

    /// What this device's files know of the household with this secret: its list, and the certificates that were signed
    /// and revoked. `nil` if there is no list that the secret's key has signed.
    func former(_ secret: HouseholdSecret) -> HouseholdFounding.FormerMembers? {
        guard let signed = try? read(HouseholdFileName.list),
            let list = try? HouseholdList(signed: signed, by: secret.signingKey.publicKey)
        else { return nil }
        var former = HouseholdFounding.FormerMembers(list)
        let names = (try? FileSystem.names(in: "\(folder)/\(HouseholdFileName.certificates)")) ?? []
        former.certificates = names.compactMap { try? read("\(HouseholdFileName.certificates)/\($0)") }
        former.revoked = try? read(HouseholdFileName.revoked)
        return former
    }

    /// The broker's port for devices without a certificate, as it was when the household was founded.
    func joinPort() throws(FoundingError) -> UInt16 {
        let digits = String(decoding: try read(Self.portFile), as: UTF8.self)
        guard let port = UInt16(digits.filter { !$0.isWhitespace }), port > 0 else { throw bad(Self.portFile) }
        return port
    }

    static func file(ofJoinPort port: UInt16) -> HouseholdFile {
        HouseholdFile(portFile, Array("\(port)\n".utf8), for: .nobody)
    }

    func read(_ name: String) throws(FoundingError) -> [UInt8] {
        try FileSystem.read("\(folder)/\(name)")
    }

    private func bad(_ name: String) -> FoundingError {
        .badFile(path: "\(folder)/\(name)")
    }

    // MARK: - Writing

    /// Makes this device a member, with `replaces` in place of its former household.
    func install(
        _ settings: HouseholdSettings, _ files: [HouseholdFile], replaces: Bool
    ) throws(FoundingError) {
        if !replaces { try checkHasNone() }
        let (new, old) = ("\(folder).new", "\(folder).old")
        for leftover in [new, old] { try FileSystem.remove(leftover) }
        try makeFolder(new, for: .service)
        for file in files {
            if let slash = file.path.firstIndex(of: "/") {
                try makeFolder("\(new)/\(file.path[..<slash])", for: .nobody)
            }
            try FileSystem.write(
                file.content, to: "\(new)/\(file.path)", mode(of: file.readers), group(of: file.readers))
        }
        for name in Set(files.compactMap { $0.path.firstIndex(of: "/").map($0.path.prefix(upTo:)) }) {
            try FileSystem.sync("\(new)/\(name)")
        }
        try FileSystem.sync(new)
        // If it is interrupted after this, this device has no files of a household, and `--replace` begins again.
        if access(folder, F_OK) == 0 { try FileSystem.move(folder, to: old) }
        try FileSystem.move(new, to: folder)
        try FileSystem.sync(path)
        try replaceFile(settingsPath, Array(settings.yaml.utf8), 0o644, nil)
        try FileSystem.remove(old)
    }

    /// Replaces files of the household's folder, each as a whole.
    func replace(_ files: [HouseholdFile]) throws(FoundingError) {
        for file in files {
            try replaceFile("\(folder)/\(file.path)", file.content, mode(of: file.readers), group(of: file.readers))
        }
    }

    /// Forgets the household: first the settings, so that this device belongs to none, and then its files.
    func remove() throws(FoundingError) {
        try FileSystem.remove(settingsPath)
        try FileSystem.sync(path)
        for place in [folder, "\(folder).new", "\(folder).old"] { try FileSystem.remove(place) }
    }

    /// - Throws: `needsRoot` if this user may not change what is here.
    func checkMayChange() throws(FoundingError) {
        guard access(path, W_OK) == 0 || errno != EACCES && errno != EPERM else { throw .needsRoot }
    }

    /// Runs `body` while no other program changes the household, after waiting for others no longer than `patience`.
    /// The lock is a file that only its owner can open: a folder that everybody may read could be locked by everybody.
    /// - Throws: `busy`, `file`, and what `body` throws.
    func alone<Result>(
        patience: Duration = .seconds(10), _ body: () throws(FoundingError) -> Result
    ) throws(FoundingError) -> Result {
        let place = "\(path)/\(Self.lockFile)"
        let lock = open(place, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw .file(place) }
        defer { close(lock) }
        let end = ContinuousClock.now + patience
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .file(place) }
            guard ContinuousClock.now < end else { throw .busy }
            usleep(50_000)
        }
        return try body()
    }

    private func replaceFile(
        _ path: String, _ content: [UInt8], _ mode: mode_t, _ group: gid_t?
    ) throws(FoundingError) {
        try FileSystem.write(content, to: "\(path).new", mode, group)
        guard rename("\(path).new", path) == 0 else { throw .file(path) }
        try FileSystem.sync(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    }

    private func makeFolder(_ path: String, for readers: HouseholdFile.Readers) throws(FoundingError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .file(path) }
        guard let group = group(of: readers) else { return }
        guard chown(path, 0, group) == 0, chmod(path, 0o750) == 0 else { throw .file(path) }
    }

    private func mode(of readers: HouseholdFile.Readers) -> mode_t {
        switch readers {
        case .nobody: 0o600
        case .service: group(of: readers) == nil ? 0o600 : 0o640
        case .everybody: 0o644
        }
    }

    /// `nil` for the group of the user who writes. Only root can give files to a group that it is not in.
    private func group(of readers: HouseholdFile.Readers) -> gid_t? {
        guard readers == .service, geteuid() == 0 else { return nil }
        return getgrnam(Self.service)?.pointee.gr_gid
    }
}
