import Foundation
import ProcessSupport
import SQLite
import Testing

/// The state lies on a small file system of its own, which is really full.
@Suite(
    "A full disk", .serialized, .waitsForProcesses,
    .enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
struct FullDiskTests {
    @Test("without room for the copy before an upgrade gated changes nothing and waits; once there is room it upgrades")
    func upgrade() throws {
        let gate = try RunningGate()
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "2468\n").status == 0)
        #expect(try gate.stop() == 0)
        let store = try DatabaseQueue(path: gate.stateDirectory + "/gate.sqlite")
        try store.write { database in
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'receipts'; DROP TABLE receipt")
        }
        try store.close()
        let disk = try SmallDisk(gate)
        try disk.says("there is no room for the copy that is made before")
        #expect(try disk.bytes(of: "gate.sqlite") == SmallDisk.bytes(gate.stateDirectory + "/gate.sqlite"))
        #expect(try disk.names { $0.hasPrefix("gate-schema-") || $0.hasSuffix(".copy") }.isEmpty)
        try disk.makeRoom()
        try eventually("gated serves") { try gate.gatectl("ping").status == 0 }
        #expect(try gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}").output.contains("PASSCODE"))
        #expect(try disk.names { $0.hasPrefix("gate-schema-") }.count == 1)
    }

    @Test("on a full disk neither a backup nor a restore succeeds; both say so, and change and leave nothing")
    func backups() throws {
        let gate = try RunningGate()
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "2468\n").status == 0)
        let file = gate.directory + "/backup.sqlite"
        #expect(try gate.gatectl("backup", file).status == 0)
        #expect(try gate.gatectl("passcode", "remove").status == 0)
        #expect(try gate.stop() == 0)
        let disk = try SmallDisk(gate)
        try eventually("gated serves") { try gate.gatectl("ping").status == 0 }
        for (verb, path) in [("backup", file + "-2"), ("restore", file)] {
            let result = try gate.gatectl(verb, path)
            #expect(result.status == 69 && result.errors.contains("full"), "\(verb): \(result.errors)")
            #expect(try disk.names { $0.contains(".backup") || $0.contains(".restore") }.isEmpty, "\(verb)")
        }
        #expect(!FileManager.default.fileExists(atPath: file + "-2"))
        #expect(try !gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}").output.contains("PASSCODE"))
        try disk.makeRoom()
        #expect(try gate.gatectl("backup", file + "-2").status == 0)
        #expect(try gate.gatectl("restore", file).status == 0)
        #expect(try gate.gatectl("call", "gate.v1.Secrets/GetSecrets", "{}").output.contains("PASSCODE"))
    }
}
