import Foundation
import ProcessSupport
import Testing

@Suite("make install", .waitsForProcesses)
struct MakeInstallTests {
    private let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    @Test(
        "whatever the umask, nothing that is installed can be written by others, and all can read it",
        arguments: ["000", "077"])
    func modes(umask: String) throws {
        let folder = "/tmp/gate-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let programs = URL(fileURLWithPath: builtProgram("gated")).deletingLastPathComponent().path
        let install = [
            "make", "-C", root, "-o", "release", "install", "DESTDIR=\(folder)/to", "programs=\(programs)",
        ]
        let result = try ChildProcess(
            "/bin/sh", ["-c", "umask \(umask) && exec \"$@\"", "sh"] + install, hasInput: false
        ).ended()
        try #require(result.status == 0, "\(result.errors)")
        let installed = try #require(FileManager.default.enumerator(atPath: "\(folder)/to"))
        var units = 0
        for case let name as String in installed {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/to/\(name)")
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let mode = try #require(attributes[.posixPermissions] as? Int)
            #expect(mode == 0o755 || (mode == 0o644 && !isFolder), "\(name) has mode \(String(mode, radix: 8))")
            if name.hasPrefix("usr/lib/systemd/system/") { units += 1 }
        }
        #expect(units == 4)
        // In the folders that they have here, so that links between them work there too.
        let pages = try FileManager.default.contentsOfDirectory(atPath: "\(root)/docs")
            .filter { $0.hasSuffix(".md") || $0.hasSuffix(".svg") }
        for page in pages.map({ "docs/\($0)" }) + ["README.md"] {
            let path = "\(folder)/to/usr/share/doc/gate/\(page)"
            #expect(FileManager.default.fileExists(atPath: path), "\(page) is not installed")
        }

        let uninstall = ["make", "-C", root, "uninstall", "DESTDIR=\(folder)/to", "PURGE=1"]
        let removal = try ChildProcess("/usr/bin/env", uninstall, hasInput: false).ended()
        try #require(removal.status == 0, "\(removal.errors)")
        let left = try #require(FileManager.default.enumerator(atPath: "\(folder)/to"))
        for case let name as String in left {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(folder)/to/\(name)", isDirectory: &isFolder)
            #expect(isFolder.boolValue, "\(name) is left")
        }
    }
}
