import Foundation

/// The programs under test. They lie beside the tests in the build directory, or where `GATE_BIN` says.
struct Binaries {
    let gatectl: URL
    let gatedScripted: URL

    /// `nil` where they are not built.
    static let found: Binaries? = candidates.lazy.compactMap(Binaries.init(in:)).first

    private static var candidates: [URL] {
        let environment = ProcessInfo.processInfo.environment["GATE_BIN"].map { URL(filePath: $0) }
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return [environment, tests.map { URL(filePath: $0).deletingLastPathComponent() }].compactMap { $0 }
    }

    private init?(in folder: URL) {
        gatectl = folder.appending(path: "gatectl")
        gatedScripted = folder.appending(path: "gated-scripted")
        guard [gatectl, gatedScripted].allSatisfy({ FileManager.default.isExecutableFile(atPath: $0.path()) }) else {
            return nil
        }
    }
}
