import Foundation
import Glibc
import ProcessSupport
import Testing

/// The worked example of docs/photo-store.md: the photos belong to a user of their own. Needs root, to act as both
/// users.
@Suite(
    "A photo store behind another user", .serialized, .waitsForProcesses,
    .enabled(if: OtherUser.isPossible, "only root can become another user"))
struct PhotoStoreTests {
    @Test("with a grown-up's permission this photo is deleted, and no other")
    func deletes() throws {
        let store = try PhotoStore()
        let deletion = try store.deletePhoto("beach.jpg")
        let question = try store.screen.answerSum(right: true)
        #expect(question.contains("beach.jpg") && question.contains(#""uid":65534"#))
        let result = try deletion.ended()
        #expect(result.status == 0, "\(result.errors)")
        #expect(try store.photos() == ["birthday.jpg"])
        // The journal has entries of both halves, with their details.
        let journal = try store.gate.gatectl("audit", "--json").output
        #expect(journal.contains("AUDIT_KIND_GRANTED") && journal.contains("AUDIT_KIND_REDEEMED"))
        #expect(journal.contains("photos.delete: beach.jpg"))
    }

    @Test("without permission no photo is deleted", arguments: ["wrong", "dismissed", "nobody"])
    func keeps(how: String) throws {
        let store = try PhotoStore()
        if how == "nobody" { store.screen.process.kill() }
        let deletion = try store.deletePhoto("beach.jpg")
        switch how {
        case "wrong": try store.screen.answerSum(right: false)
        case "dismissed":
            _ = try store.screen.shown()
            try store.screen.answer("")
        default: break
        }
        #expect(try deletion.ended().status != 0)
        #expect(try store.photos() == ["beach.jpg", "birthday.jpg"])
    }

    @Test("the child's own hands and programs delete nothing")
    func ownHands() throws {
        let store = try PhotoStore()
        let remove = try store.child.start("/bin/rm", ["-f", store.folder + "/beach.jpg"])
        #expect(try remove.ended().status != 0)
        // The child runs the store's half itself, and even has a grant.
        let (holder, proof) = try store.granted("beach.jpg")
        let half = try store.child.start(
            store.gate.directory + "/take-photo", ["beach.jpg"], environment: store.environment)
        half.write(proof + "\n")
        half.closeInput()
        #expect(try half.ended().status == 77)
        #expect(try store.photos() == ["beach.jpg", "birthday.jpg"])
        // The child could not take the grant, and it is still there for its redeemer.
        #expect(try store.give(proof, for: "beach.jpg") == 0)
        holder.kill()
    }

    @Test("a grant for one photo deletes no other, and its own only once")
    func otherPhotoAndSecondUse() throws {
        let store = try PhotoStore()
        let (holder, proof) = try store.granted("beach.jpg")
        #expect(try store.give(proof, for: "birthday.jpg") == 1)
        #expect(try store.give(proof, for: "../photos/beach.jpg") == 65)
        #expect(try store.photos() == ["beach.jpg", "birthday.jpg"])
        #expect(try store.give(proof, for: "beach.jpg") == 0)
        // The photo is put back, but the grant was used.
        try Data("beach".utf8).write(to: URL(filePath: store.folder + "/beach.jpg"))
        #expect(try store.give(proof, for: "beach.jpg") == 1)
        #expect(try store.photos() == ["beach.jpg", "birthday.jpg"])
        holder.kill()
    }

    @Test("a proof that the child saves is worthless once the program that asked is gone")
    func keptForLater() throws {
        let store = try PhotoStore()
        let (holder, proof) = try store.granted("beach.jpg")
        holder.kill()
        // The screen and this call are the daemon's last connections.
        try eventually("the daemon has seen it go") {
            let statistics = try store.gate.gatectl("call", "gate.v1.Control/GetStatistics", "{}").output
            return statistics.contains(#""connections":\#(store.connectionsAtRest),"#)
        }
        #expect(try store.give(proof, for: "beach.jpg") == 1)
        #expect(try store.photos() == ["beach.jpg", "birthday.jpg"])
    }

    @Test("the photo store refuses a grant that names no redeemer, or another one", arguments: [nil, "65534", "0"])
    func forSomebodyElse(redeemer: String?) throws {
        let store = try PhotoStore()
        guard let redeemer else {
            // The asker takes its own grant at once, so that there is none to hand over.
            let asker = try store.child.gatectl(store.gate, ["authorize", "photos.delete", "--details", "beach.jpg"])
            try store.screen.answerSum(right: true)
            let result = try asker.ended()
            #expect(result.status == 0)
            #expect(!result.output.contains(#/[0-9a-f]{48}/#))
            return
        }
        let (holder, proof) = try store.granted("beach.jpg", redeemer: redeemer)
        #expect(try store.give(proof, for: "beach.jpg") == 77)
        #expect(try store.photos() == ["beach.jpg", "birthday.jpg"])
        holder.kill()
    }
}

/// A folder of photos, the user who owns it, and the child who asks.
private struct PhotoStore {
    let gate: RunningGate
    let screen: RelayScreen
    let child = OtherUser(uid: 65534)
    let owner = OtherUser(uid: 65533)
    /// The number of connections while nothing is asked, including the one that asks for the number.
    let connectionsAtRest: Int
    private let service: ChildProcess

    var folder: String { gate.directory + "/photos" }

    init() throws {
        gate = try RunningGate(
            policy:
                "gated-actions:\n  photos.delete: {title: Delete photos, requires: {challenge: arithmetic-choice}}\n",
            isOpenToOthers: true)
        _ = try OtherUser.gatectlForAll(gate)
        let files = FileManager.default
        for name in ["delete-photo", "take-photo"] {
            try writeProgram(
                String(contentsOfFile: repositoryFile("examples/photo-store/" + name), encoding: .utf8),
                to: gate.directory + "/" + name)
        }
        let folder = gate.directory + "/photos"
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        for name in ["beach.jpg", "birthday.jpg"] {
            try Data(name.utf8).write(to: URL(filePath: folder + "/" + name))
            chown(folder + "/" + name, owner.uid, owner.uid)
        }
        chown(folder, owner.uid, owner.uid)
        service = try Self.startService(gate, owner)
        screen = try RelayScreen(gate)
        let statistics = try gate.gatectl("call", "gate.v1.Control/GetStatistics", "{}").output
        let count = try #require(statistics.firstMatch(of: #/"connections":(\d+)/#)?.1, "\(statistics)")
        connectionsAtRest = try #require(Int(count))
    }

    /// Stands in for sudo, which is not everywhere: a process of the owner that reads a name and a proof and runs the
    /// store's half.
    private static func startService(_ gate: RunningGate, _ owner: OtherUser) throws -> ChildProcess {
        for (name, mode) in [("requests", 0o622), ("statuses", 0o644)] as [(String, mode_t)] {
            mkfifo(gate.directory + "/" + name, 0o600)
            chmod(gate.directory + "/" + name, mode)
            chown(gate.directory + "/" + name, owner.uid, owner.uid)
        }
        try writeProgram(
            """
            #!/bin/sh
            cd '\(gate.directory)' || exit 1
            while IFS= read -r name && IFS= read -r proof; do
                status=0
                printf '%s\\n' "$proof" | ./take-photo "$name" || status=$?
                echo $status > statuses
            done 0<> requests

            """, to: gate.directory + "/store-service")
        try writeProgram(
            """
            #!/bin/sh
            # as-owner PROGRAM NAME < PROOF
            IFS= read -r proof || exit 1
            printf '%s\\n%s\\n' "$2" "$proof" > '\(gate.directory)/requests'
            IFS= read -r status < '\(gate.directory)/statuses'
            exit "$status"

            """, to: gate.directory + "/as-owner")
        return try owner.start(gate.directory + "/store-service", [], environment: environment(gate))
    }

    private static func environment(_ gate: RunningGate) -> [String: String] {
        [
            "PATH": gate.directory + ":/usr/bin:/bin", "GATE_SOCKET": gate.socket,
            "GATE_STORE": gate.directory + "/photos",
            "GATE_STORE_USER": "65533", "GATE_AS_STORE": gate.directory + "/as-owner",
        ]
    }

    var environment: [String: String] { Self.environment(gate) }

    func photos() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    /// Starts the child's half, as the child.
    func deletePhoto(_ name: String) throws -> ChildProcess {
        try child.start(gate.directory + "/delete-photo", [name], environment: environment)
    }

    /// A program of the child's that gets a grant and keeps its proof.
    func granted(_ name: String, redeemer: String = "65533") throws -> (holder: ChildProcess, proof: String) {
        let holder = try child.gatectl(
            gate, ["authorize", "photos.delete", "--details", name, "--redeemer", redeemer])
        try screen.answerSum(right: true)
        return (holder, try holder.nextLine())
    }

    /// The child gives a proof to the store. Returns the store's exit status.
    func give(_ proof: String, for name: String) throws -> Int32 {
        let process = try child.start(
            gate.directory + "/as-owner", ["take-photo", name], environment: environment)
        process.write(proof + "\n")
        process.closeInput()
        return try process.ended().status
    }
}
