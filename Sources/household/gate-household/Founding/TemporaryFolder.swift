import GateHousehold
import Glibc

/// A folder for files that libmosquitto reads while it connects, or mosquitto while it runs. They read them by their
/// path, so for root the folder is in /run, where nobody else can write anywhere on the path.
enum TemporaryFolder {
    static func with<Result>(
        _ files: [HouseholdFile], _ body: (String) async throws -> Result
    ) async throws -> Result {
        let base = geteuid() == 0 ? "/run" : getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/gate-household-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FoundingError.file(base) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileSystem.remove(folder) }
        for file in files { try FileSystem.write(file.content, to: "\(folder)/\(file.path)", 0o600, nil) }
        return try await body(folder)
    }
}
