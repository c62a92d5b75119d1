import Foundation
import Testing

@testable import gate_household

@Suite("The file with this device's private key")
struct KeyFileTests {
    private func refusal(mode: Int, exists: Bool = true) throws -> String? {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appendingPathComponent("device.key").path
        if exists {
            try Data("key".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        do throws(HouseholdRefusal) {
            try KeyFile("device.key", in: directory.path).check()
            return nil
        } catch {
            #expect(error.reasons.count == 1 && error.reasons[0].hasPrefix(path))
            return error.reasons.first.map { String($0.dropFirst(path.count + 2)) }
        }
    }

    @Test("a key file that others can read, write or execute is refused, and one that its group can read is not")
    func modes() throws {
        for mode in [0o600, 0o640, 0o400, 0o440] { #expect(try refusal(mode: mode) == nil) }
        for mode in [0o644, 0o642, 0o641, 0o604] {
            #expect(try refusal(mode: mode)?.hasPrefix("Everyone can read the key of this device") ?? false)
        }
    }

    @Test("a missing key file is named")
    func missing() throws {
        #expect(
            try refusal(mode: 0, exists: false)
                == "The key of this device is not there: No such file or directory. Put it there.")
        #expect(KeyFile("/a/b", in: "/etc/gate").path == "/a/b")
    }
}
